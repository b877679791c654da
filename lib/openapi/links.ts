import type { apiRoutes } from '../../functions/contract/routes.ts';

type OperationId = keyof typeof apiRoutes;

const sessionId = { sessionId: '$response.body#/sessionId' };
const endpointId = { endpointId: '$response.body#/endpointId' };

const nextOperations: Readonly<
  Partial<Record<OperationId, { operations: readonly OperationId[]; parameters: Readonly<Record<string, string>> }>>
> = {
  createSession: {
    operations: [
      'getSessionStatus',
      'cancelSession',
      'getAuthorization',
      'erasePatient',
      'simulateSession',
      'advanceSession',
    ],
    parameters: sessionId,
  },
  simulateSession: { operations: ['getSessionStatus', 'advanceSession'], parameters: sessionId },
  listSessions: { operations: ['listSessions'], parameters: { cursor: '$response.body#/nextCursor' } },
  listEvents: { operations: ['listEvents'], parameters: { cursor: '$response.body#/nextCursor' } },
  listPayouts: { operations: ['listPayouts'], parameters: { cursor: '$response.body#/nextCursor' } },
  createPractice: {
    operations: ['getPlatformPractice', 'suspendPractice', 'resumePractice', 'createOnboardingLink'],
    parameters: { practiceId: '$response.body#/practiceId' },
  },
  listPractices: { operations: ['listPractices'], parameters: { cursor: '$response.body#/nextCursor' } },
  createWebhookEndpoint: {
    operations: ['changeWebhookEndpoint', 'testWebhookEndpoint', 'rotateSigningSecret', 'deleteWebhookEndpoint'],
    parameters: endpointId,
  },
};

/** Links from a response to the calls that take a value from it. */
export function linksFrom(operationId: string, operationIds: readonly string[]) {
  const next = new Map(Object.entries(nextOperations)).get(operationId);
  const operations = next?.operations.filter((name) => operationIds.includes(name)) ?? [];
  if (!next || operations.length === 0) return {};
  const { parameters } = next;
  return { links: Object.fromEntries(operations.map((name) => [name, { operationId: name, parameters }])) };
}
