import { queueVariables, tableVariables } from '../../functions/contract/environment.ts';
import type { Mode } from '../../functions/domain/mode.ts';

interface Resource {
  readonly Type: string;
  readonly Properties?: {
    readonly Description?: string;
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
  };
}

export interface Names {
  readonly mode: Mode;
  /** The file of each function, by its logical id. */
  readonly fileOf: ReadonlyMap<string, string>;
  /** The queues that each function has the address of, by the function's logical id. */
  readonly queuesOf: ReadonlyMap<string, readonly string[]>;
  /** Turns `dynamodb:GetItem on DataEvents1A2B3C4D` into `dynamodb:GetItem on events`. */
  plain(action: string): string;
}

const variables = [...Object.entries(tableVariables), ...Object.entries(queueVariables)];

/** What the code calls a template's functions, tables and queues. */
export function namesIn(template: unknown): Names {
  const { Resources } = template as { Resources: Record<string, Resource> };
  const fileOf = new Map<string, string>();
  const queuesOf = new Map<string, string[]>();
  const nameOf = new Map<string, string>();
  for (const [id, { Type, Properties: { Description = '', Environment } = {} }] of Object.entries(Resources)) {
    // CDK's own function has no variables.
    if (Type !== 'AWS::Lambda::Function' || !Environment) continue;
    fileOf.set(id, Description);
    const own = Object.keys(Environment.Variables);
    queuesOf.set(
      id,
      Object.entries(queueVariables).flatMap(([queue, variable]) => (own.includes(variable) ? [queue] : [])),
    );
    for (const [name, variable] of variables) {
      const { Ref } = Object(Environment.Variables[variable]) as { Ref?: string };
      if (Ref !== undefined) nameOf.set(Ref, name);
    }
  }
  return {
    mode: [...fileOf.values()].some((file) => file.includes('/live/')) ? 'live' : 'sandbox',
    fileOf,
    queuesOf,
    plain: (action) => action.replace(/(?<= on )\w+/, (id) => nameOf.get(id) ?? id),
  };
}
