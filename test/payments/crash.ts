import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../functions/contract/environment.ts';
import { connect, type Database } from '../../functions/store/database.ts';
import { awsConfig } from '../support/aws.ts';
import type { Tables } from '../support/tables.ts';

export interface Crash {
  calls: number;
  dead: boolean;
  guard<Answer>(perform: () => Promise<Answer>): Promise<Answer>;
}

/** With `after`, the write succeeds but its answer is lost. */
export function crashAt(call: number, moment: 'before' | 'after'): Crash {
  const die = (crash: Crash): never => {
    crash.dead = true;
    throw new Error('killed');
  };
  return {
    calls: 0,
    dead: false,
    async guard(perform) {
      this.calls += 1;
      const fatal = this.calls === call;
      if (this.dead || (fatal && moment === 'before')) return die(this);
      const answer = await perform();
      return fatal ? die(this) : answer;
    },
  };
}

/** Runs something else just before this write. */
export function before(write: number, happen: () => Promise<unknown>): Crash {
  return {
    calls: 0,
    dead: false,
    async guard(perform) {
      this.calls += 1;
      if (this.calls === write) await happen();
      return perform();
    },
  };
}

const reads = ['GetItemCommand', 'BatchGetItemCommand', 'QueryCommand'];

export function crashingDatabase(tables: Tables, crash: Crash): Database<Table> {
  const { requestHandler } = tables.database.client.config;
  const client = new DynamoDBClient({ ...awsConfig(tables.endpoint), requestHandler });
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        reads.includes(commandName) ? next(args) : crash.guard(() => next(args)),
    { step: 'initialize', name: 'crash' },
  );
  return connect(tables.database.tables, client);
}
