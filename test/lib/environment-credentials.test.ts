import { expect, it } from 'vitest';
import { credentialsIn } from '../../lib/aws-sdk/environment-credentials.ts';

const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'the secret' };

it("a function has its role's credentials, with their session", () => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'the secret' };
  expect(credentialsIn({ ...keys, AWS_SESSION_TOKEN: 'the session' })).toEqual({
    ...credentials,
    sessionToken: 'the session',
  });
  expect(credentialsIn(keys)).toEqual(credentials);
});

it('without credentials, the error names the variables', () => {
  expect(() => credentialsIn({})).toThrow(/AWS_ACCESS_KEY_ID/);
  expect(() => credentialsIn({ ...keys, AWS_SECRET_ACCESS_KEY: '' })).toThrow(/AWS_SECRET_ACCESS_KEY/);
});
