import * as z from 'zod/mini';
import { practiceName, settings } from './practices.ts';
import { endpointUrl } from '../webhooks/webhook-endpoints.ts';

export const newPractice = z.extend(settings, { name: practiceName, webhookUrl: z.optional(endpointUrl) });
