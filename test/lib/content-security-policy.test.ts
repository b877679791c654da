import { describe, expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../lib/content-security-policy.ts';
import { stripeOrigins } from '../../lib/stripe.ts';
import { at, named, stages } from './stacks.ts';

function sourcesOf(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

const strictest = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
};
const withStripe = {
  ...strictest,
  'script-src': ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
  'connect-src': ["'self'", 'https://api.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
};

test('without a bank picker, a page loads nothing from elsewhere', () => {
  expect(sourcesOf(contentSecurityPolicy())).toEqual(strictest);
});

test("with Stripe's bank picker, it loads what Stripe's guide asks for, and nothing else", () => {
  expect(sourcesOf(contentSecurityPolicy(stripeOrigins))).toEqual(withStripe);
});

test('the settings of another Stripe make the policy', () => {
  const [apiBase, scriptUrl] = ['http://127.0.0.1:4242', 'http://127.0.0.1:4243/v3/'];
  expect(sourcesOf(contentSecurityPolicy({ apiBase, scriptUrl }))).toEqual({
    ...strictest,
    'script-src': ["'self'", 'http://127.0.0.1:4243'],
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

  test('only the hosted page of production may load Stripe, and keep the windows that banks sign in in', () => {
    expect(headersOf('HostedPage')).toEqual(
      stage === 'production'
        ? { sources: withStripe, openers: 'same-origin-allow-popups' }
        : { sources: strictest, openers: 'same-origin' },
    );
    expect(headersOf('Dashboard')).toEqual({ sources: strictest, openers: 'same-origin' });
  });
});
