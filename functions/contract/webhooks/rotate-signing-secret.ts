import * as z from 'zod/mini';
import { endpointNotFound } from './endpoint-problems.ts';
import { isoTime } from '../../domain/time.ts';
import { secretRotation } from './webhook-endpoints.ts';
import { bodyProblems } from '../problems.ts';
import { takesNothing } from '../route.ts';
import { keyProblems, type PracticeRoute } from '../practice-route.ts';
import { endpointParameters, endpointParams, endpointPath } from './webhook-endpoint.ts';

export const rotatedSigningSecret = z.object({ signingSecret: z.string(), previousSecretExpiresAt: isoTime });

export const rotateSigningSecretRoute = {
  ...takesNothing,
  method: 'POST',
  path: `${endpointPath}/rotate-secret`,
  scope: 'webhooks:write',
  summary: "Rotate an endpoint's signing secret",
  description:
    'Until `previousSecretExpiresAt`, each webhook carries a signature by both secrets, and by older secrets that have not expired, ' +
    'five at most, so calling this twice breaks nothing. With `keepOldHours: 0`, only the new secret signs. ' +
    "The body can be left out. The practice's admins get an email.",
  params: endpointParams,
  parameters: endpointParameters,
  body: secretRotation,
  bodyOptional: true,
  status: 200,
  response: rotatedSigningSecret,
  problems: { ...keyProblems, ...bodyProblems, ...endpointNotFound },
} as const satisfies PracticeRoute;
