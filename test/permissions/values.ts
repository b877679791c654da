import { ts } from '@ts-morph/common';

/** The call through which each function was entered. */
export type Calls = ReadonlyMap<ts.Node, ts.CallExpression>;

/** The value depends on what a function's callers pass. */
export class NeedsCaller extends Error {
  readonly called: ts.SignatureDeclaration;

  constructor(called: ts.SignatureDeclaration) {
    super('a value depends on a caller');
    this.called = called;
  }
}

/** Finds the literals that an expression can be. Throws for code that it does not understand. */
export function valuesIn(checker: ts.TypeChecker) {
  function valuesOf(node: ts.Expression, calls: Calls): ts.Node[] {
    if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) return valuesOf(node.expression, calls);
    if (ts.isConditionalExpression(node))
      return [node.whenTrue, node.whenFalse].flatMap((each) => valuesOf(each, calls));
    if (ts.isCallExpression(node)) {
      const called = functionOf(node);
      return called ? returnsOf(called, new Map([...calls, [called, node]])) : [node];
    }
    if (ts.isPropertyAccessExpression(node)) return propertyOf(node.expression, node.name.text, calls);
    if (!ts.isIdentifier(node) || node.text === 'undefined') return [node];
    const declaration = symbolOf(checker, node)?.valueDeclaration;
    if (!declaration) throw unclear(node);
    return declared(declaration, calls);
  }

  function declared(node: ts.Declaration, calls: Calls): ts.Node[] {
    if (ts.isParameter(node)) return argumentOf(node, calls).flatMap((each) => valuesOf(each, calls));
    if (ts.isVariableDeclaration(node)) {
      const list = node.parent.parent;
      if (ts.isForOfStatement(list)) return elementsOf(list.expression, calls);
      if (!node.initializer) throw unclear(node);
      return valuesOf(node.initializer, calls);
    }
    if (ts.isBindingElement(node)) {
      const { propertyName, name, dotDotDotToken, parent } = node;
      const whole = parent.parent;
      if (ts.isBindingElement(whole)) throw unclear(node);
      const holders = ts.isParameter(whole) ? argumentOf(whole, calls) : whole.initializer ? [whole.initializer] : [];
      if (dotDotDotToken) return holders.flatMap((each) => valuesOf(each, calls));
      return holders.flatMap((each) => propertyOf(each, (propertyName ?? name).getText(), calls));
    }
    if (ts.isFunctionDeclaration(node)) return [node];
    throw unclear(node);
  }

  function argumentOf(parameter: ts.ParameterDeclaration, calls: Calls): ts.Expression[] {
    const called = parameter.parent;
    const call = calls.get(called);
    if (!call) throw new NeedsCaller(called);
    const given = call.arguments[called.parameters.indexOf(parameter)] ?? parameter.initializer;
    return given ? [given] : [];
  }

  /** Returns nothing for an object without the property. */
  function propertyOf(holder: ts.Expression, name: string, calls: Calls): ts.Node[] {
    return valuesOf(holder, calls).flatMap((object) => memberOf(object, name, calls));
  }

  function memberOf(object: ts.Node, name: string, calls: Calls): ts.Node[] {
    if (!ts.isObjectLiteralExpression(object)) throw unclear(object);
    for (const property of object.properties.toReversed()) {
      if (ts.isSpreadAssignment(property)) {
        const spread = propertyOf(property.expression, name, calls);
        if (spread.length > 0) return spread;
      } else if (property.name?.getText() !== name) continue;
      else if (ts.isPropertyAssignment(property)) return valuesOf(property.initializer, calls);
      else if (ts.isShorthandPropertyAssignment(property)) return valuesOf(property.name, calls);
      else throw unclear(property);
    }
    return [];
  }

  function elementsOf(list: ts.Expression, calls: Calls): ts.Node[] {
    return valuesOf(list, calls).flatMap((value) => {
      if (ts.isArrayLiteralExpression(value))
        return value.elements.flatMap((each) =>
          ts.isSpreadElement(each) ? elementsOf(each.expression, calls) : valuesOf(each, calls),
        );
      const { callee, callback } = mapping(value);
      if (callee !== 'map' || !callback) throw unclear(value);
      return returnsOf(callback, calls);
    });
  }

  function functionOf({ expression }: ts.CallExpression): ts.SignatureDeclaration | undefined {
    if (!ts.isIdentifier(expression)) return undefined;
    const declaration = symbolOf(checker, expression)?.valueDeclaration;
    if (!declaration) return undefined;
    if (ts.isFunctionDeclaration(declaration)) return declaration;
    const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined;
  }

  function returnsOf(called: ts.SignatureDeclaration, calls: Calls): ts.Node[] {
    const body = 'body' in called ? called.body : undefined;
    if (!body) throw unclear(called);
    if (!ts.isBlock(body)) return valuesOf(body, calls);
    return returned(body).flatMap((each) => valuesOf(each, calls));
  }

  return { valuesOf, propertyOf };
}

function mapping(value: ts.Node) {
  if (!ts.isCallExpression(value) || !ts.isPropertyAccessExpression(value.expression)) return {};
  const [callback] = value.arguments;
  return {
    callee: value.expression.name.text,
    callback: callback && ts.isArrowFunction(callback) ? callback : undefined,
  };
}

function returned(node: ts.Node): ts.Expression[] {
  if (ts.isFunctionLike(node)) return [];
  if (ts.isReturnStatement(node)) return node.expression ? [node.expression] : [];
  const found: ts.Expression[] = [];
  ts.forEachChild(node, (child) => void found.push(...returned(child)));
  return found;
}

/** Undefined for names that are properties, not variables. */
export function symbolOf(checker: ts.TypeChecker, node: ts.Identifier): ts.Symbol | undefined {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent);
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return undefined;
  if ((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node) return undefined;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return undefined;
  return checker.getSymbolAtLocation(node);
}

export function unclear(node: ts.Node): Error {
  return new Error(`Cannot tell which table or index this is; write it as a literal, or teach test/permissions/values.ts:
${node.getText()}
in
${(ts.findAncestor(node, ts.isStatement) ?? node).getText()}`);
}
