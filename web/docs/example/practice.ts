/**
 * A practice's backend in one file: it bills the invoices of a CSV file, learns of payments by webhook, and finds out
 * what happened while it was off. The README beside it says how to run it.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
// In your project: from 'patient-invoice-payment-client'.
import {
  createPaymentClient,
  eventOf,
  isProblem,
  verifyWebhook,
  type Session,
  type WebhookEvent,
} from '../../client/index.ts';

const {
  PAYMENTS_API_URL: apiUrl = 'http://127.0.0.1:4000',
  PAYMENTS_API_KEY: apiKey = '',
  WEBHOOK_SECRET: webhookSecret = '',
  BOOKS: booksFile = 'books.db',
  PORT: port = '4900',
} = process.env;
const [csvFile] = process.argv.slice(2);
const payments = createPaymentClient({ apiUrl, apiKey });
const hour = 3_600_000;
const tenMinutes = 600_000;

// --- The books ---

const books = new DatabaseSync(booksFile);
books.exec(`
  CREATE TABLE IF NOT EXISTS invoices (
    invoiceId TEXT PRIMARY KEY, firstName TEXT NOT NULL, lastName TEXT NOT NULL, amountCents INTEGER NOT NULL
  ) STRICT;
  -- What we know of each session. status is the service's, or 'returned'; reason says why it ended without money.
  CREATE TABLE IF NOT EXISTS sessions (
    sessionId TEXT PRIMARY KEY, invoiceId TEXT NOT NULL, hostedUrl TEXT,
    status TEXT NOT NULL, reason TEXT, sequence INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS events (eventId TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS eventsRead (id INTEGER PRIMARY KEY CHECK (id = 1), until TEXT NOT NULL) STRICT;
  -- An invoice has the status of the session that is paid or being paid, else of the latest one.
  CREATE VIEW IF NOT EXISTS ledger AS
    SELECT invoices.*, coalesce(status, 'unbilled') AS status, reason, hostedUrl,
      (SELECT count(*) FROM sessions WHERE sessions.invoiceId = invoices.invoiceId) AS sessionCount
    FROM invoices LEFT JOIN sessions ON sessionId = (
      SELECT sessionId FROM sessions WHERE sessions.invoiceId = invoices.invoiceId
      ORDER BY status IN ('succeeded', 'processing') DESC, sessions.rowid DESC LIMIT 1
    );
`);

const insertInvoice = books.prepare('INSERT INTO invoices VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
const insertEvent = books.prepare('INSERT INTO events VALUES (?) ON CONFLICT DO NOTHING');
const insertSession = books.prepare(`
  INSERT INTO sessions (sessionId, invoiceId, hostedUrl, status, sequence) VALUES (?, ?, ?, 'pending', 0)
  ON CONFLICT DO UPDATE SET hostedUrl = excluded.hostedUrl`);
// Events arrive in any order: what is older than what we know changes nothing.
const updateSession = books.prepare(`
  INSERT INTO sessions (sessionId, invoiceId, status, reason, sequence) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET status = excluded.status, reason = excluded.reason, sequence = excluded.sequence
  WHERE excluded.sequence > sessions.sequence`);
const setEventsRead = books.prepare('INSERT OR REPLACE INTO eventsRead VALUES (1, ?)');

type Facts = Pick<Session, 'sessionId' | 'invoiceId' | 'status' | 'failure' | 'return' | 'cancellation'>;

function bookSession(facts: Facts, sequence: number): void {
  const { sessionId, invoiceId, failure, cancellation, return: returned } = facts;
  const status = returned ? 'returned' : facts.status;
  const reason = failure?.code ?? returned?.code ?? cancellation?.reason ?? null;
  const { changes } = updateSession.run(sessionId, invoiceId, status, reason, sequence);
  if (changes !== 0) console.log([invoiceId, status, reason].filter(Boolean).join('  '));
}

/** Does nothing if the event is already booked. */
function bookEvent(event: WebhookEvent): void {
  // One transaction: an event that is marked as seen has had its effect.
  books.exec('BEGIN IMMEDIATE');
  try {
    const isNew = insertEvent.run(event.id).changes === 1;
    if (isNew) applyEvent(event);
    books.exec('COMMIT');
  } catch (error) {
    books.exec('ROLLBACK');
    throw error;
  }
}

function applyEvent(event: WebhookEvent): void {
  switch (event.type) {
    case 'session.payment.processing':
    case 'session.payment.succeeded': // Mark the invoice paid now, not at `processing`.
    case 'session.payment.failed':
    case 'session.payment.cancelled':
    case 'session.payment.returned': // Weeks later, perhaps: the patient owes the invoice again.
      return bookSession(event.data, event.data.sequence);
    default: // Tests, and types that are newer than this program.
      return undefined;
  }
}

// --- Billing ---

/** Makes a link for each invoice that is not paid and has no open link. */
async function bill(file: string): Promise<void> {
  for (const invoice of invoicesIn(readFileSync(file, 'utf8'))) insertInvoice.run(...invoice);
  const unpaid = books.prepare(
    "SELECT * FROM ledger WHERE status NOT IN ('pending', 'processing', 'succeeded') ORDER BY invoiceId",
  );
  for (const { invoiceId: id, firstName, lastName, amountCents, sessionCount } of unpaid.all()) {
    const invoiceId = String(id);
    const patient = { firstName: String(firstName), lastName: String(lastName) };
    // Stays the same after a crash, so that the next run gets this session and not a second one.
    const idempotencyKey = `${encodeURIComponent(invoiceId)}/${Number(sessionCount) + 1}`;
    try {
      const session = { invoiceId, amountCents: Number(amountCents), patient };
      const { sessionId, hostedUrl, blockedBy } = await payments.sessions.create(session, { idempotencyKey });
      insertSession.run(sessionId, invoiceId, hostedUrl);
      // Send the link to the patient here. Whoever has it can pay: in production, keep it out of logs.
      console.log(`${invoiceId}  ${sessionId}  ${blockedBy ?? hostedUrl}`);
    } catch (error) {
      if (!isProblem(error, 'invalid_request')) throw error;
      console.error(`${invoiceId}  ${error.message}`); // the others can still be billed
    }
  }
}

/** Columns: invoiceId, firstName, lastName, and amount in dollars, such as `182.50`. */
function invoicesIn(csv: string): [string, string, string, number][] {
  const [, ...lines] = csv.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)];
    const [invoiceId = '', firstName = '', lastName = '', amount = ''] = cells.map(
      ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim(),
    );
    const [, dollars, cents] = /^(\d+)\.(\d\d)$/.exec(amount) ?? []; // no floating point: 0.1 + 0.2 is not 0.3
    if (dollars === undefined || cells.length !== 4) throw new Error(`Not an invoice: ${line}`);
    return [invoiceId, firstName, lastName, Number(dollars) * 100 + Number(cents)];
  });
}

// --- Reconciliation ---

/** Books what no webhook told us. Safe to repeat and to interrupt. */
async function reconcile(): Promise<void> {
  // A live webhook does not move this mark: older events can still be missing. Less ten minutes, because an event can
  // appear in the list minutes after its `createdAt`, for example when many links expire together.
  const until = books.prepare('SELECT until FROM eventsRead').get()?.['until'];
  const since = until === undefined ? {} : { since: new Date(Date.parse(String(until)) - tenMinutes) };
  let newest: string | undefined;
  for await (const event of payments.events.list(since)) {
    newest ??= event.createdAt;
    bookEvent(eventOf(event));
  }
  // Set only now: the list begins with the newest, so an interrupted run has missed the oldest.
  if (newest !== undefined) setEventsRead.run(newest);

  // Events are kept for 30 days. The status is always there.
  const open = books.prepare("SELECT sessionId FROM sessions WHERE status IN ('pending', 'processing')");
  for (const { sessionId } of open.all()) {
    const session = await payments.sessions.get(String(sessionId));
    bookSession(session, sequenceOf(session));
  }
}

/** Each event of a session has left one of these facts. */
function sequenceOf({ processingAt, settledAt, failedAt, cancelledAt, return: returned }: Session): number {
  return [processingAt, settledAt, failedAt, cancelledAt, returned].filter((fact) => fact !== undefined).length;
}

// --- The server ---

const server = createServer(async (request, response) => {
  try {
    if (request.method === 'POST' && request.url === '/webhooks') {
      // Several secrets, separated by spaces, while you rotate.
      bookEvent(verifyWebhook(await bodyOf(request), request.headers, webhookSecret.split(' ')));
      response.writeHead(204).end(); // only once it is stored
    } else if (request.method === 'GET' && request.url === '/' && isFromHere(request)) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(statusPage());
    } else {
      response.writeHead(404).end();
    }
  } catch (error) {
    console.error(String(error));
    // Sent even if the signature is wrong: the service tries again, perhaps after we have corrected our secret.
    response.writeHead(503).end();
  }
});

/** The raw bytes: parsed and serialized again, they would not match the signature. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > 65_536) throw new Error('This body is too large for a webhook.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The page shows patients, and has no sign-in: a tunnel or proxy for the webhooks must not show it too. */
function isFromHere({ headers }: IncomingMessage): boolean {
  return headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
}

function statusPage(): string {
  const rows = books.prepare("SELECT *, firstName || ' ' || lastName AS patient FROM ledger ORDER BY invoiceId").all();
  const cells = rows.map(({ invoiceId, patient, amountCents, status, reason, hostedUrl }) => [
    escaped(invoiceId),
    escaped(patient),
    `$${(Number(amountCents) / 100).toFixed(2)}`,
    escaped([status, reason].filter(Boolean).join(': ')),
    status === 'pending' ? `<a href="${escaped(hostedUrl)}">link</a>` : '',
  ]);
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Invoices</title>
<h1>Invoices</h1><table cellpadding="6"><tr><th>Invoice<th>Patient<th>Amount<th>Status<th>To pay</tr>
${cells.map((row) => `<tr>${row.map((cell) => `<td>${cell}`).join('')}</tr>`).join('\n')}
</table></html>`;
}

function escaped(text: unknown): string {
  return String(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// --- From here on it runs ---

async function attempt(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    console.error(error); // the receiver goes on
  }
}

// The server comes first: what happens from now on arrives by webhook. Then what we missed, so that nobody is billed again
// for what they have paid. Then the new invoices.
server.listen(Number(port), '127.0.0.1', () => console.log(`Webhooks at http://127.0.0.1:${port}/webhooks`));
await attempt(reconcile);
if (csvFile !== undefined) await attempt(() => bill(csvFile));
console.log(`Ready. Status at http://127.0.0.1:${port}/`);
setInterval(() => void attempt(reconcile), hour);
