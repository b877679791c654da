import { practiceSessionRoutes } from '../contract/sessions/session.ts';
import { pick } from '../domain/collections.ts';
import { tableNames } from '../environment.ts';
import { practiceRoute } from '../http/practice-route.ts';
import { getProof } from '../payments/proof.ts';
import { referencesOfStage } from '../processors/of-stage.ts';
import { findOwnSession } from '../sessions/find.ts';
import { connect } from '../store/database.ts';

const tools = { database: connect(tableNames()), mode: builtForMode, processor: referencesOfStage() };

const told = [
  'sessionId',
  'invoiceId',
  'amountCents',
  'text',
  'locale',
  'authorizedAt',
  'payerName',
  'bankAccount',
  'references',
] as const;

export const handler = practiceRoute(
  tools,
  practiceSessionRoutes.getAuthorization,
  async ({ practiceId }, { params }) => {
    const proof = await getProof(tools, await findOwnSession(tools, { practiceId, ...params }));
    return { ...pick(proof, told), textHash: proof.authorizationId };
  },
);
