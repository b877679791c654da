export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface Patient {
  view(): Promise<Answer>;
  open(): Promise<Answer>;
  /** Extends the session by a whole period. */
  extend(): Promise<Answer>;
  requestLink(): Promise<Answer>;
  /** Signs in at Sandbox Bank if none is named. */
  connectBank(username: string, password: string, bank?: string): Promise<Answer>;
  /** Live only: returns what Stripe's picker needs. */
  startConnection(): Promise<Answer>;
  /** Live only: connects the account that was picked. */
  finishConnection(): Promise<Answer>;
  namePayer(payerName: string): Promise<Answer>;
  mailCopy(email: string): Promise<Answer>;
  /** Defaults to the text that this patient's last `connectBank` or `namePayer` returned. */
  authorize(authorizationId?: string): Promise<Answer>;
}

export function succeeded(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

export function patientOf(hostedUrl: string, language?: string): Patient {
  const [origin = '', token = ''] = hostedUrl.split(/\/s\/|\?/);
  let offered: unknown;

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${origin}/api/patient/session${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(language !== undefined && { 'accept-language': language }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  }

  async function offer(path: string, body: object): Promise<Answer> {
    const answer = await call('POST', path, body);
    if (answer.status === 200) offered = (answer.body['authorization'] as { id: string }).id;
    return answer;
  }

  return {
    view: () => call('GET', ''),
    open: () => call('POST', '/open'),
    extend: () => call('POST', '/extend'),
    requestLink: () => call('POST', '/link-request'),
    connectBank: (username, password, bank) => offer('/bank-connection', { username, password, bank }),
    startConnection: () => call('POST', '/bank-connection/start'),
    finishConnection: () => offer('/bank-connection', {}),
    namePayer: (payerName) => offer('/payer', { payerName }),
    mailCopy: (email) => call('POST', '/copy', { email }),
    authorize: (authorizationId) =>
      call('POST', '/payment', { authorizationAccepted: true, authorizationId: authorizationId ?? offered }),
  };
}
