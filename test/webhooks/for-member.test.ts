import { expect, it } from 'vitest';
import { urlForMember } from '../../functions/webhooks/requirements.ts';

const row = (redirectsTo?: string) => ({ url: 'https://hooks.example.com/in?token=1', redirectsTo });

it.each([
  ['https://www.example.com/in?token=1#2', 'https://www.example.com/in'],
  ['https://ada:secret@www.example.com/in', 'https://www.example.com/in'],
  ['http://[?token=1', undefined],
  ['app://in?token=1', undefined],
  [undefined, undefined],
])('where a redirect leads, %s, is shown without tokens to all but admins', (redirectsTo, shown) => {
  expect(urlForMember(row(redirectsTo), 'admin')).toEqual(row(redirectsTo));
  for (const role of ['staff', 'viewer'] as const)
    expect(urlForMember(row(redirectsTo), role)).toEqual({ url: 'https://hooks.example.com/in', redirectsTo: shown });
});
