import { ts } from '@ts-morph/common';
import { required } from './linked-functions.ts';
import { symbolOf, unclear } from './values.ts';

interface Called {
  readonly symbol: ts.Symbol;
  readonly node: ts.CallExpression;
}

export interface Content {
  readonly calls: Called[];
  /** The names of functions where they are not called. */
  readonly passed: { readonly symbol: ts.Symbol; readonly node: ts.Node }[];
  /** AWS SDK commands, such as `PutEventsCommand`, but not DynamoDB's: every function that uses the store contains all of those. */
  readonly commands: Set<string>;
}

interface Statement extends Content {
  readonly uses: Set<ts.Node>;
}

/** What a handler can run: the top-level statements that it uses, and those that they use. */
export function contentsOf(checker: ts.TypeChecker, file: ts.SourceFile): (handler: ts.Symbol) => Content {
  const statements = new Map<ts.Node, Statement>(
    file.statements.map((statement) => [statement, contentOf(checker, statement)]),
  );
  return (handler) => {
    const seen = new Set<ts.Node>([topLevel(required(handler.valueDeclaration))]);
    // Also visits the statements that the loop adds.
    for (const statement of seen) for (const used of statements.get(statement)?.uses ?? []) seen.add(used);
    const reached = [...seen].flatMap((statement) => statements.get(statement) ?? []);
    return {
      calls: reached.flatMap(({ calls }) => calls),
      passed: reached.flatMap(({ passed }) => passed),
      commands: new Set(reached.flatMap(({ commands }) => [...commands])),
    };
  };
}

function contentOf(checker: ts.TypeChecker, statement: ts.Statement): Statement {
  const content: Statement = { uses: new Set(), calls: [], passed: [], commands: new Set() };
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node)) look(node);
    ts.forEachChild(node, visit);
  };
  if (!ts.isExportDeclaration(statement) && !ts.isImportDeclaration(statement)) visit(statement);
  return content;

  function look(node: ts.Identifier) {
    const symbol = symbolOf(checker, node);
    const [declaration] = symbol?.declarations ?? [];
    if (!symbol || !declaration) return;
    if (ts.isImportSpecifier(declaration)) {
      const { text } = declaration.propertyName ?? declaration.name;
      if (text.endsWith('Command') && !isOfDynamoDb(declaration)) content.commands.add(text);
      return;
    }
    content.uses.add(topLevel(declaration));
    const { parent } = node;
    if (ts.isCallExpression(parent) && parent.expression === node) content.calls.push({ symbol, node: parent });
    else if (parent !== declaration) content.passed.push({ symbol, node });
  }
}

/** Throws if a function other than these takes table names from a database. */
export function requireOnly(file: ts.SourceFile, functions: readonly ts.Symbol[]): void {
  const declarations = new Set<ts.Node | undefined>(functions.map(({ valueDeclaration }) => valueDeclaration));
  const visit = (node: ts.Node) => {
    const name = ts.isBindingElement(node)
      ? (node.propertyName ?? node.name)
      : ts.isPropertyAccessExpression(node)
        ? node.name
        : undefined;
    if (name?.getText() === 'tables') throw unclear(node);
    ts.forEachChild(node, visit);
  };
  for (const statement of file.statements) if (!declarations.has(statement)) visit(statement);
}

function isOfDynamoDb(imported: ts.ImportSpecifier): boolean {
  const { moduleSpecifier } = imported.parent.parent.parent;
  return ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === '@aws-sdk/client-dynamodb';
}

function topLevel(node: ts.Node): ts.Node {
  return ts.isSourceFile(node.parent) ? node : topLevel(node.parent);
}
