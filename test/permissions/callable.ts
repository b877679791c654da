import { ts } from '@ts-morph/common';
import { tableVariables } from '../../functions/contract/environment.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import { linkFunctions, required } from './linked-functions.ts';
import { NeedsCaller, symbolOf, unclear, valuesIn, type Calls } from './values.ts';

/** The only functions that name a table in a request, with the action that the request needs. */
const actions: Readonly<Record<string, string>> = {
  get: 'GetItem',
  getAll: 'BatchGetItem',
  queryPage: 'Query',
  scanAll: 'Scan',
  put: 'PutItem',
  change: 'UpdateItem',
  erase: 'DeleteItem',
  check: 'ConditionCheckItem',
};
const inRows = ['get', 'getAll', 'queryPage', 'scanAll'];

/** What each function can call, such as `GetItem on sessions` or `Query on sessions/index/byInvoice`, by its file. */
export async function callableActions(mode: Mode): Promise<Map<string, Set<string>>> {
  const paths = Object.keys(actions).map((name) => [
    name,
    `functions/store/${inRows.includes(name) ? 'rows' : 'writes'}.ts`,
  ]);
  const { checker, file, handlers, named } = await linkFunctions(mode, Object.fromEntries(paths));
  const actionOf = new Map([...named].map(([name, symbol]) => [symbol, required(actions[name])]));
  const { valuesOf, propertyOf } = valuesIn(checker);
  const statements = new Map(file.statements.map((statement) => [statement, contentOf(checker, statement)]));
  for (const [statement, { tables }] of statements)
    if (tables && !isOneOf(checker, statement, actionOf)) throw unclear(tables);

  return new Map(
    [...handlers].map(([entry, handler]) => {
      const calls = reachable(handler, statements).flatMap(({ calls }) => calls);
      const found = new Set<string>();
      for (const call of calls) {
        const action = actionOf.get(call.symbol);
        if (action !== undefined) for (const text of requestsOf(call.node, action, calls, new Map())) found.add(text);
      }
      return [entry, found];
    }),
  );

  /** Looks at callers one at a time, so that a table meets no other table's index. */
  function requestsOf(node: ts.CallExpression, action: string, all: readonly Called[], context: Calls): string[] {
    try {
      const [, table, query] = node.arguments;
      const tables = valuesOf(required(table), context).map(textOf);
      const unknown = tables.find((name) => !Object.hasOwn(tableVariables, name));
      if (unknown !== undefined) throw new Error(`${unknown} is no table`);
      if (action !== 'Query') return tables.map((name) => `${action} on ${name}`);
      const indexes = valuesOf(required(query), context).flatMap((each) => indexOf(each, context));
      return tables.flatMap((name) => indexes.map((index) => `${action} on ${name}${index}`));
    } catch (error) {
      if (!(error instanceof NeedsCaller)) throw error;
      const { called } = error;
      const callers = all.filter(({ symbol, node: by }) => isDeclaredBy(symbol, called) && !isInside(by, called));
      return callers.flatMap((by) => requestsOf(node, action, all, new Map([...context, [called, by.node]])));
    }
  }

  function indexOf(query: ts.Node, context: Calls): string[] {
    if (!ts.isObjectLiteralExpression(query)) throw unclear(query);
    const indexes = propertyOf(query, 'index', context).map((value) => `/index/${textOf(value)}`);
    return indexes.length > 0 ? indexes : [''];
  }
}

interface Called {
  readonly symbol: ts.Symbol;
  readonly node: ts.CallExpression;
}

interface Content {
  readonly uses: Set<ts.Node>;
  readonly calls: Called[];
  /** Where it names a table. */
  readonly tables: ts.Node | undefined;
}

function contentOf(checker: ts.TypeChecker, statement: ts.Statement): Content {
  const uses = new Set<ts.Node>();
  const calls: Called[] = [];
  let tables: ts.Node | undefined;
  const visit = (node: ts.Node) => {
    if (ts.isElementAccessExpression(node) && node.expression.getText().endsWith('tables')) tables = node;
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'tables') tables = node;
    if (ts.isIdentifier(node)) {
      const symbol = symbolOf(checker, node);
      const declaration = symbol?.valueDeclaration;
      if (declaration) uses.add(topLevel(declaration));
      if (symbol && ts.isCallExpression(node.parent) && node.parent.expression === node)
        calls.push({ symbol, node: node.parent });
    }
    ts.forEachChild(node, visit);
  };
  if (!ts.isExportDeclaration(statement)) visit(statement);
  return { uses, calls, tables };
}

function reachable(handler: ts.Symbol, statements: ReadonlyMap<ts.Node, Content>): Content[] {
  const seen = new Set<ts.Node>([topLevel(required(handler.valueDeclaration))]);
  for (const statement of seen) for (const used of statements.get(statement)?.uses ?? []) seen.add(used);
  return [...seen].flatMap((statement) => statements.get(statement) ?? []);
}

function topLevel(node: ts.Node): ts.Node {
  return ts.isSourceFile(node.parent) ? node : topLevel(node.parent);
}

function isOneOf(checker: ts.TypeChecker, statement: ts.Statement, symbols: ReadonlyMap<ts.Symbol, string>): boolean {
  if (!ts.isFunctionDeclaration(statement) || !statement.name) return false;
  const symbol = checker.getSymbolAtLocation(statement.name);
  return symbol !== undefined && symbols.has(symbol);
}

function isDeclaredBy({ valueDeclaration }: ts.Symbol, called: ts.Node): boolean {
  return valueDeclaration === called || valueDeclaration === called.parent;
}

function isInside(node: ts.Node, outer: ts.Node): boolean {
  return ts.findAncestor(node, (each) => each === outer) !== undefined;
}

function textOf(value: ts.Node): string {
  if (!ts.isStringLiteral(value)) throw unclear(value);
  return value.text;
}
