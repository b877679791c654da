import { describe, expect, it } from 'vitest';
import { CookieJar } from '../support/http-request.ts';
import type { TestPractice } from '../support/local-stack.ts';
import { onStack } from '../support/on-stack.ts';
import { runCommand } from '../support/run-command.ts';
import { submitCredentials } from '../support/sign-in.ts';

let service: TestPractice;
onStack.beforeAll(({ own }) => {
  service = own;
});

interface Credentials {
  readonly email: string;
  readonly password: string;
}

function userOf(role: string): Credentials {
  const found = service.dashboardUsers.find((user) => user.role === role);
  if (!found) throw new Error(`no ${role}`);
  return found;
}

const locationOf = (response: Response) => new URL(response.headers.get('location') ?? '', service.dashboardUrl);

/** A browser with its cookies at the dashboard and at the issuer. */
class Browser {
  readonly dashboard = new CookieJar();
  readonly issuer = new CookieJar();

  async begin(query = ''): Promise<URL> {
    return locationOf(await this.dashboard.fetch(`${service.dashboardUrl}/api/dashboard/sign-in${query}`));
  }

  /** Returns the callback's URL. */
  async authenticate(user: Credentials, query = ''): Promise<URL> {
    return submitCredentials(this.issuer, await this.begin(query), user, service.dashboardUrl);
  }

  async signIn(user: Credentials, query = ''): Promise<Response> {
    return this.dashboard.fetch(await this.authenticate(user, query));
  }

  async get(path: string) {
    const response = await this.dashboard.fetch(`${service.dashboardUrl}/api/dashboard/${path}`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async post(path: string, body?: object) {
    const response = await this.dashboard.fetch(`${service.dashboardUrl}/api/dashboard/${path}`, {
      method: 'POST',
      headers: {
        'x-dashboard': '1',
        'sec-fetch-site': 'same-origin',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
}

async function signedIn(user: Credentials): Promise<Browser> {
  const browser = new Browser();
  const response = await browser.signIn(user);
  if (response.headers.get('location') !== '/#signed-in')
    throw new Error(`not signed in: ${response.headers.get('location')}`);
  return browser;
}

describe('signing in', () => {
  it('leads to the page asked for, with a cookie that no script reads, and to the practices of the user', async () => {
    const browser = new Browser();
    const { practiceId } = service.practice;
    const response = await browser.signIn(userOf('staff'), `?return=${encodeURIComponent(`/${practiceId}/sessions`)}`);
    expect([response.status, response.headers.get('location')]).toEqual([302, `/${practiceId}/sessions`]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const [cleared, session] = response.headers.getSetCookie();
    expect(cleared).toMatch(/^sign-in-[\w-]{43}=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/);
    expect(session).toMatch(/^dashboard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await browser.get('me')).toEqual({
      status: 200,
      body: {
        user: {
          userId: expect.any(String) as string,
          email: userOf('staff').email,
          authenticatedAt: expect.any(String) as string,
        },
        mode: 'sandbox',
        practices: [{ practiceId, name: expect.any(String) as string, role: 'staff' }],
        platforms: [],
      },
    });
  });

  it('never leads to another site', async () => {
    const response = await new Browser().signIn(userOf('viewer'), `?return=${encodeURIComponent('//evil.example')}`);
    expect(response.headers.get('location')).toBe('/#signed-in');
  });

  it('works once, and only in the browser that began it', async () => {
    const browser = new Browser();
    const callback = await browser.authenticate(userOf('viewer'));
    const expired = '/?problem=sign_in_expired';
    const admin = await signedIn(userOf('admin'));
    for (const [stranger, page] of [
      [new CookieJar(), expired],
      [admin.dashboard, '/#signed-in'],
    ] as const) {
      const response = await stranger.fetch(callback);
      expect([response.headers.get('location'), response.headers.getSetCookie()]).toEqual([page, []]);
    }
    expect((await admin.get('me')).body['user']).toMatchObject({ email: userOf('admin').email });
    const cookie = browser.dashboard.header;
    expect((await browser.dashboard.fetch(callback)).headers.get('location')).toBe('/#signed-in');
    const replayed = await fetch(callback, { headers: { cookie }, redirect: 'manual' });
    expect(replayed.headers.get('location')).toBe(expired);
  });

  it('leads home when a signed-in browser loads the callback again', async () => {
    const browser = new Browser();
    const callback = await browser.authenticate(userOf('viewer'), '?return=/join');
    await browser.dashboard.fetch(callback);
    const cookies = browser.dashboard.header;
    expect((await browser.dashboard.fetch(callback)).headers.get('location')).toBe('/#signed-in');
    expect(browser.dashboard.header).toBe(cookies);
    await browser.post('sign-out', {});
    expect((await browser.dashboard.fetch(callback)).headers.get('location')).toBe('/?problem=sign_in_expired');
  });

  it('finishes in each of several tabs, in any order, and forgets all but the last five', async () => {
    const browser = new Browser();
    const tabs: [page: string, authorizationUrl: URL][] = [];
    for (const page of ['/1', '/2', '/3', '/4', '/5', '/6']) tabs.push([page, await browser.begin(`?return=${page}`)]);
    expect(browser.dashboard.header.match(/sign-in-/g)).toHaveLength(5);
    const finish = async (authorizationUrl: URL) => {
      const { issuer, dashboard } = browser;
      const callback = await submitCredentials(issuer, authorizationUrl, userOf('viewer'), service.dashboardUrl);
      return (await dashboard.fetch(callback)).headers.get('location');
    };
    const [[, forgotten] = ['', new URL('about:blank')], second, ...others] = tabs;
    for (const [page, url] of [...others.reverse(), ...(second ? [second] : [])]) expect(await finish(url)).toBe(page);
    expect(await finish(forgotten)).toBe('/#signed-in');
    expect((await browser.get('me')).status).toBe(200);
    expect(browser.dashboard.header).toMatch(/^dashboard=[\w-]{43}$/);
  });

  it("never repeats the issuer's words", async () => {
    const browser = new Browser();
    const state = (await browser.begin()).searchParams.get('state') ?? '';
    const said = { error: 'access_denied', error_description: '<b>words</b>', state, iss: service.stack.issuer };
    const callback = `${service.dashboardUrl}/api/dashboard/callback?${new URLSearchParams(said).toString()}`;
    const response = await browser.dashboard.fetch(callback);
    expect(response.headers.get('location')).toBe('/?problem=sign_in_refused');
    expect(await response.text()).toBe('');
  });

  it('gives a new session, whatever cookie was planted before', async () => {
    const [attacker, victim] = [await signedIn(userOf('viewer')), new Browser()];
    const planted = attacker.dashboard.header;
    victim.dashboard.keep(new Response(null, { headers: { 'set-cookie': `${planted}; Path=/` } }));
    await victim.signIn(userOf('admin'));
    expect(victim.dashboard.header).not.toBe(planted);
    expect((await attacker.get('me')).status).toBe(401);
    expect((await victim.get('me')).body['user']).toMatchObject({ email: userOf('admin').email });
  });

  it('again asks for the password of someone who is signed in', async () => {
    const browser = await signedIn(userOf('admin'));
    const page = await browser.issuer.fetch(await browser.begin('?again=1'));
    expect(page.headers.get('location')).toMatch(/^\/sign-in\//);
    expect((await browser.signIn(userOf('admin'), '?again=1&return=/join')).headers.get('location')).toBe('/join');
    expect((await browser.get('me')).status).toBe(200);
  });
});

describe('signing out', () => {
  it('ends the session and names the page that signs out of the issuer', async () => {
    const [browser, other] = [await signedIn(userOf('viewer')), await signedIn(userOf('viewer'))];
    const cookie = browser.dashboard.header;
    const { status, body } = await browser.post('sign-out', {});
    expect(status).toBe(200);
    expect(String(body['signOutUrl'])).toMatch(service.stack.issuer);
    expect(browser.dashboard.header).toBe('');
    const replayed = await fetch(`${service.dashboardUrl}/api/dashboard/me`, { headers: { cookie } });
    expect(replayed.status).toBe(401);
    expect((await other.get('me')).status).toBe(200);
  });

  it('everywhere ends all sessions of the user, and nobody else’s', async () => {
    const [one, two, stranger] = [
      await signedIn(userOf('viewer')),
      await signedIn(userOf('viewer')),
      await signedIn(userOf('staff')),
    ];
    await one.post('sign-out', { everywhere: true });
    expect((await two.get('me')).status).toBe(401);
    expect((await stranger.get('me')).status).toBe(200);
  });
});

describe('a team', () => {
  it('grows by an invitation, whose account and link come by email, and shrinks at once', async () => {
    const { practiceId } = service.practice;
    const email = `new.hire.${userOf('admin').email}`;
    const admin = await signedIn(userOf('admin'));
    const invited = await admin.post(`practices/${practiceId}/team/invitations`, { email, role: 'staff' });
    expect(invited).toMatchObject({ status: 201, body: { email, role: 'staff', mailed: true, createsAccount: true } });

    const texts = service.mails.filter(({ to }) => to === email).map(({ text }) => text);
    const password = texts.flatMap((text) => /temporary password (\S+)\. /.exec(text)?.[1] ?? [])[0] ?? '';
    const link = texts.flatMap((text) => /http\S+\/join#\S+/.exec(text)?.[0] ?? [])[0] ?? '';
    expect(link).toBe(invited.body['invitationUrl']);
    const hire = await signedIn({ email, password });
    expect((await hire.get('me')).body['practices']).toEqual([]);
    expect((await hire.get(`practices/${practiceId}/team`)).status).toBe(404);

    const token = new URL(link).hash.slice(1);
    expect(await hire.post('invitations/accept', { token })).toEqual({
      status: 200,
      body: { practiceId, role: 'staff' },
    });
    const team = await hire.get(`practices/${practiceId}/team`);
    const members = team.body['members'] as { userId: string; isYou: boolean }[];
    const { userId = '' } = members.find(({ isYou }) => isYou) ?? {};
    expect(await hire.post(`practices/${practiceId}/team/members/${userId}/remove`)).toMatchObject({ status: 403 });

    expect(await admin.post(`practices/${practiceId}/team/members/${userId}/remove`)).toEqual({
      status: 200,
      body: { userId },
    });
    expect((await hire.get(`practices/${practiceId}/team`)).status).toBe(404);
    expect((await hire.post('invitations/accept', { token })).body).toMatchObject({ code: 'invitation_not_found' });
  });
});

describe("the operator's command", () => {
  it('adds a member, who is sent the link by the operator', async () => {
    const { practiceId } = service.practice;
    const added = await runCommand<Record<string, string>>(service.operated, 'add-member', {
      practice: practiceId,
      email: 'owner@lakeside.example',
      role: 'admin',
    });
    expect(added).toMatchObject({
      email: 'owner@lakeside.example',
      role: 'admin',
      mailed: false,
      createsAccount: true,
    });
    const viewer = await signedIn(userOf('viewer'));
    const token = new URL(added['invitationUrl'] ?? '').hash.slice(1);
    expect((await viewer.post('invitations/accept', { token })).body).toEqual({ practiceId, role: 'admin' });
    expect((await viewer.get('me')).body['practices']).toMatchObject([{ role: 'admin' }]);
  });
});
