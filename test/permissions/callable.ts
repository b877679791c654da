import { ts } from '@ts-morph/common';
import { tableVariables } from '../../functions/contract/environment.ts';
import type { Mode } from '../../functions/domain/mode.ts';
import { contentsOf, requireOnly, type Content } from './content.ts';
import { linkFunctions, required } from './linked-functions.ts';
import { NeedsCaller, unclear, valuesIn, type Calls } from './values.ts';

/** The only functions that name a table in a request, with the action that the request needs. */
const inRows = { get: 'GetItem', getAll: 'BatchGetItem', queryPage: 'Query', scanAll: 'Scan' };
const inWrites = { put: 'PutItem', change: 'UpdateItem', deleteRow: 'DeleteItem', check: 'ConditionCheckItem' };
const actions: Readonly<Record<string, string>> = { ...inRows, ...inWrites };

interface Callable {
  /** For example, `GetItem on sessions` or `Query on sessions/index/byInvoice`. */
  readonly requests: ReadonlySet<string>;
  /** Commands of the AWS SDK, such as `PutEventsCommand`, except DynamoDB's. */
  readonly commands: ReadonlySet<string>;
}

/** What the code of each function can call, by its file. */
export async function callableBy(mode: Mode): Promise<ReadonlyMap<string, Callable>> {
  const { checker, file, handlers, named } = await linkFunctions(mode, {
    'functions/store/rows.ts': Object.keys(inRows),
    'functions/store/writes.ts': Object.keys(inWrites),
  });
  const actionOf = new Map([...named].map(([name, symbol]) => [symbol, required(actions[name])]));
  requireOnly(file, [...actionOf.keys()]);
  const contentOf = contentsOf(checker, file);
  return new Map(
    [...handlers].map(([path, handler]) => {
      const content = contentOf(handler);
      const passed = content.passed.find(({ symbol }) => actionOf.has(symbol));
      if (passed) throw unclear(passed.node);
      const requests = content.calls.flatMap(({ symbol, node }) => {
        const action = actionOf.get(symbol);
        return action === undefined ? [] : requestsOf(checker, content, node, action);
      });
      return [path, { requests: new Set(requests), commands: content.commands }];
    }),
  );
}

/** Follows callers one at a time, so that one table's name is never combined with another's index. */
function requestsOf(
  checker: ts.TypeChecker,
  content: Content,
  node: ts.CallExpression,
  action: string,
  context: Calls = new Map(),
): string[] {
  const { valuesOf, propertyOf } = valuesIn(checker);
  const [, table, query] = node.arguments;
  try {
    const tables = valuesOf(required(table), context).map(tableIn);
    if (tables.length === 0) throw unclear(node);
    if (action !== 'Query') return tables.map((name) => `${action} on ${name}`);
    const indexes = valuesOf(required(query), context).flatMap((each) => {
      if (!ts.isObjectLiteralExpression(each)) throw unclear(each);
      const named = propertyOf(each, 'index', context).map((value) => `/index/${textOf(value)}`);
      return named.length > 0 ? named : [''];
    });
    return tables.flatMap((name) => indexes.map((index) => `${action} on ${name}${index}`));
  } catch (error) {
    if (!(error instanceof NeedsCaller)) throw error;
    return callersOf(content, error.called).flatMap((caller) =>
      requestsOf(checker, content, node, action, new Map([...context, [error.called, caller]])),
    );
  }
}

function callersOf({ calls, passed }: Content, called: ts.SignatureDeclaration): ts.CallExpression[] {
  const declaration = ts.isFunctionDeclaration(called) ? called : called.parent;
  const isCalled = ({ symbol }: { symbol: ts.Symbol }) => symbol.valueDeclaration === declaration;
  if (declaration === called.parent && !ts.isVariableDeclaration(declaration)) throw unclear(called);
  if (passed.some(isCalled)) throw unclear(called);
  const isInside = (node: ts.Node) => ts.findAncestor(node, (each) => each === called) !== undefined;
  return calls.filter((call) => isCalled(call) && !isInside(call.node)).map(({ node }) => node);
}

function tableIn(value: ts.Node): string {
  const name = textOf(value);
  if (!Object.hasOwn(tableVariables, name)) throw unclear(value);
  return name;
}

function textOf(value: ts.Node): string {
  if (!ts.isStringLiteral(value)) throw unclear(value);
  return value.text;
}
