import { hour } from '../../functions/domain/time.ts';
import { closePractice, resumePractice, suspendPractice } from '../../functions/practices/suspend-and-close.ts';
import { erasePatient } from '../../functions/sessions/erase-patient.ts';
import { findOwnSession } from '../../functions/sessions/find.ts';
import { replaceLink } from '../../functions/sessions/links.ts';
import { listDeliveries } from '../../functions/webhooks/list-deliveries.ts';
import { redrive } from '../../functions/webhooks/redrive.ts';
import { replayDeliveries, resendEvent, testEndpoint } from '../../functions/webhooks/resend.ts';
import { rotateSecret } from '../../functions/webhooks/signing-secrets.ts';
import { disableEndpoint, enableEndpoint, updateEndpoint } from '../../functions/webhooks/webhook-endpoints.ts';
import { author, type Actions, type Callers } from './cast.ts';
import type { Receiver } from './receivers.ts';

/** What staff and operators do to endpoints and practices, and what a practice tries with another's. */
export function practiceActions(callers: Callers): Actions {
  const { world, database, service, practiceIds, receivers, tools, deliveryTools, request, aSession, practice } =
    callers;
  const { clock, random, pick } = world;

  function ofReceiver(
    name: string,
    act: (
      key: { practiceId: string; endpointId: string; author: typeof author },
      receiver: Receiver,
    ) => Promise<unknown>,
  ): void {
    const receiver = pick(receivers);
    if (receiver)
      request(name, () => act({ practiceId: receiver.practiceId, endpointId: receiver.endpointId, author }, receiver));
  }

  return {
    disable: () => ofReceiver('disable', (key) => disableEndpoint(tools, key, clock())),
    enable: () => ofReceiver('enable', (key) => enableEndpoint(tools, key, clock())),
    move: () =>
      ofReceiver('move', (key) =>
        updateEndpoint(
          { ...tools, allowLoopbackWebhooks: false },
          { ...key, url: `https://hooks.example.com/${Math.floor(random() * 1e6)}` },
          clock(),
        ),
      ),
    rotate: () =>
      ofReceiver('rotate', async (key, { secrets }) => {
        const { signingSecret } = await rotateSecret(tools, { ...key, keepOldHours: 24 }, clock());
        secrets.add(signingSecret);
      }),
    resend: () =>
      ofReceiver('resend', async (key, { received }) => {
        const eventId = pick(received)?.eventId ?? 'evt_none';
        await resendEvent(deliveryTools, { ...key, eventId }, clock());
      }),
    replay: () =>
      ofReceiver('replay', (key) => replayDeliveries(deliveryTools, { ...key, since: clock() - hour }, clock())),
    test: () => ofReceiver('test', (key) => testEndpoint(deliveryTools, key, clock())),
    suspend() {
      const practiceId = practice();
      request('suspend', () => suspendPractice(tools, { practiceId, author }, clock()));
    },
    resume() {
      const practiceId = practice();
      request('resume', () => resumePractice(tools, { practiceId, author }, clock()));
    },
    close() {
      const practiceId = practice();
      request('close', () => closePractice({ ...tools, pause: world.pause }, { practiceId, author }, clock()));
    },
    async redrive() {
      const letters = Object.entries(service.queues).flatMap(([name, queue]) =>
        queue.deadLetters.splice(0).map((body, index) => ({
          name,
          queue,
          letter: { messageId: `${name} ${index}`, receipt: body, body, groupId: undefined, sentAt: 0 },
        })),
      );
      // One message at a time: the product waits between them in real time.
      const [first] = letters;
      for (const { queue, letter } of letters.slice(1)) queue.deadLetters.push(letter.body);
      if (!first) return;
      let left = [first.letter];
      const target = `https://queues.example.com/${first.name}`;
      const deadLetterMessages = {
        receive: async () => left,
        send: async (_: string, { body }: { body: string }) => first.queue.add(body),
        remove: async () => void (left = []),
      };
      const queues = [{ name: first.name, kind: 'ticket', queueUrl: `${target}-dead`, target }] as const;
      await redrive({ database, deadLetterQueues: queues, deadLetterMessages }, {}, world.now());
    },
    snoop() {
      const known = aSession();
      const other = practiceIds.find((each) => each !== known?.practiceId);
      const stranger = receivers.find(({ practiceId }) => practiceId === other);
      if (!known || other === undefined || !stranger) return;
      const { sessionId } = known;
      const attempts: Record<string, () => Promise<unknown>> = {
        'read a session': () => findOwnSession({ database }, { practiceId: other, sessionId }),
        'replace a link': () => replaceLink(tools, { practiceId: other, sessionId, author }, clock()),
        'erase a patient': () => erasePatient(tools, { practiceId: other, sessionId, author }, clock()),
        'list deliveries': () => listDeliveries({ database }, { practiceId: other, sessionId } as never),
        'resend an event': () =>
          resendEvent(
            deliveryTools,
            { practiceId: other, endpointId: stranger.endpointId, author, eventId: `evt_${sessionId.slice(4)}_1` },
            clock(),
          ),
      };
      const [what = '', attempt] = pick(Object.entries(attempts)) ?? [];
      if (attempt)
        request(`snoop: ${what}`, attempt, () => world.violations.add(`${other} could ${what} of ${known.practiceId}`));
    },
  };
}
