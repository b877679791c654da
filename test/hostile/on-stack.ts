import { expect } from 'vitest';
import type { StackOptions } from '../drill/stack-process.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { attack } from './attack.ts';
import type { NamedTarget } from './targets.ts';
import { attackedService } from './victims.ts';

export const seed = Number(process.env['HOSTILE_SEED'] ?? 20_261_126);
/** Requests at once for each target. More would exceed the limits of its route. */
const batch = 16;

type Service = Pick<TestPractice, 'apiUrl' | 'hostedUrl' | 'dashboardUrl' | 'operated' | 'practice'>;

/** Attacks a stage's targets, and its hosts with raw bytes. */
export async function expectNoFaults(
  stage: StackOptions['stage'],
  targets: readonly NamedTarget[],
  service: Service,
  webhookSecret = '',
) {
  const { apiUrl, hostedUrl, dashboardUrl, operated, practice } = service;
  const urls = { apiUrl, hostedUrl, dashboardUrl };
  const attacked = await attackedService({ urls, webhookSecret, operated, practiceId: practice.practiceId });
  const told: string[] = [];
  const log = (line: string) => void told.push(line);
  const requests = Math.ceil((targets.length * batch * 10) / 9);
  const { faults, figures } = await attack(attacked, { stage, targets, withRaw: true, requests, batch, seed, log });
  expect(faults, told.join('\n')).toBe(0);
  expect(figures.sent).toBeGreaterThanOrEqual(requests);
  expect(Object.keys(figures.answers)).toEqual(expect.arrayContaining(['200', '400 invalid_request']));
}
