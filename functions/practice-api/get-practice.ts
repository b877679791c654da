import { getPracticeRoute } from '../contract/practices/get-practice.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { describeKey } from '../practices/keys.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode };

export const handler = practiceRoute(tools, getPracticeRoute, ({ practiceId, author }) =>
  describeKey(tools, { practiceId, keyId: author.keyId }),
);
