import { tableNames } from '../environment.ts';
import { logsItsFaults } from '../log.ts';
import { scrubOldSessions } from '../sessions/scrub-old.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), clock: Date.now };

export const handler = logsItsFaults(() => scrubOldSessions(tools));
