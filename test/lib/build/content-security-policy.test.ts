import { describe, expect, test } from 'vitest';
import { documentPolicy } from '../../../lib/build/content-security-policy.ts';
import { stripeOrigins } from '../../../lib/settings/stripe.ts';
import { at, named, stages } from '../stacks.ts';

function sourcesOf(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

const around = { 'base-uri': ["'none'"], 'form-action': ["'none'"] };
const strictest = {
  'default-src': ["'none'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  ...around,
};
const inline = { scripts: ['sha256-first', 'sha256-second'], styles: ['sha256-style'] };
const scripts = ["'sha256-first'", "'sha256-second'"];
const ofDocument = { ...strictest, 'script-src': scripts, 'style-src': ["'sha256-style'"] };

test('a document without a bank picker loads nothing but its session and its logo', () => {
  expect(sourcesOf(documentPolicy(inline))).toEqual(ofDocument);
});

test("with Stripe's bank picker, it loads what Stripe's guide asks for, and nothing else", () => {
  expect(sourcesOf(documentPolicy(inline, stripeOrigins))).toEqual({
    ...ofDocument,
    'script-src': [...scripts, 'https://js.stripe.com', 'https://*.js.stripe.com'],
    'connect-src': ["'self'", 'https://api.stripe.com'],
    'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  });
});

test('the settings of another Stripe make the policy', () => {
  const [apiBase, scriptUrl] = ['http://127.0.0.1:4242', 'http://127.0.0.1:4243/v3/'];
  expect(sourcesOf(documentPolicy(inline, { apiBase, scriptUrl }))).toEqual({
    ...ofDocument,
    'script-src': [...scripts, 'http://127.0.0.1:4243'],
    'connect-src': ["'self'", apiBase],
    'frame-src': ['http://127.0.0.1:4243'],
  });
});

describe.each(stages)('on the $stage stack', ({ stage, resources }) => {
  const headersOf = (page: string) => {
    const config = at(named(resources, `${page}SecurityHeaders`).Properties, 'ResponseHeadersPolicyConfig') as {
      SecurityHeadersConfig: { ContentSecurityPolicy: { ContentSecurityPolicy: string } };
      CustomHeadersConfig: { Items: { Header: string; Value: string }[] };
    };
    const openers = config.CustomHeadersConfig.Items.find(({ Header }) => Header === 'Cross-Origin-Opener-Policy');
    const { ContentSecurityPolicy: policy } = config.SecurityHeadersConfig.ContentSecurityPolicy;
    return { sources: sourcesOf(policy), openers: openers?.Value };
  };

  test("the hosted page's header says only what its document cannot, so that a cached document keeps working", () => {
    expect(headersOf('HostedPage').sources).toEqual({ ...around, 'frame-ancestors': ["'none'"] });
  });

  test('only the hosted page of production keeps the windows that banks sign in in', () => {
    expect(headersOf('HostedPage').openers).toBe(stage === 'production' ? 'same-origin-allow-popups' : 'same-origin');
    expect(headersOf('Dashboard').openers).toBe('same-origin');
  });

  test('the dashboard loads only its own files', () => {
    expect(headersOf('Dashboard').sources).toEqual({
      ...strictest,
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'frame-ancestors': ["'none'"],
    });
  });
});
