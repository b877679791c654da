import { expect, it } from 'vitest';
import { allows, defaultTopics, roles } from '../../../functions/domain/team/member.ts';

it('a role allows what itself and every lower role may do', () => {
  const allowed = Object.fromEntries(roles.map((role) => [role, roles.filter((needed) => allows(role, needed))]));
  expect(allowed).toEqual({ viewer: ['viewer'], staff: ['viewer', 'staff'], admin: ['viewer', 'staff', 'admin'] });
});

it('a new admin gets emails about what needs attention, other members get none', () => {
  expect(Object.fromEntries(roles.map((role) => [role, defaultTopics(role)]))).toEqual({
    viewer: [],
    staff: [],
    admin: ['payment_failed', 'payment_returned', 'link_requested', 'endpoint_failing'],
  });
});
