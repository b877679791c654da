import { evidenceBucketName, tableNames } from '../../environment.ts';
import { evidenceArchive } from '../../messages/payments/evidence-archive.ts';
import { evidenceStreamHandler } from '../../messages/batch-handlers.ts';
import { archiveEvidence } from '../../payments/archive-evidence.ts';
import { connect } from '../../store/database.ts';

const tools = { database: connect(tableNames()), archive: evidenceArchive(evidenceBucketName()) };

export const handler = evidenceStreamHandler((session) => archiveEvidence(tools, session));
