import { expect, it } from 'vitest';
import { practiceRoutes } from '../../functions/contract/practice-routes.ts';
import { faultsOf } from './sent.ts';

it.each([
  ['listSessions', 'limit', '0', 'limit out_of_range'],
  ['listSessions', 'limit', '101', 'limit out_of_range'],
  ['listSessions', 'limit', '1000', 'limit out_of_range'],
  ['listSessions', 'limit', '-1', 'limit out_of_range'],
  ['listSessions', 'limit', 'ten', 'limit invalid_value'],
  ['listSessions', 'limit', ['1', '2'], 'limit invalid_type'],
  ['listSessions', 'status', 'paid', 'status invalid_value'],
  ['listSessions', 'invoiceId', '', 'invoiceId required'],
  ['listSessions', 'createdSince', 'yesterday', 'createdSince invalid_value'],
  ['listSessions', 'createdBefore', '2026-11-20', 'createdBefore invalid_value'],
  ['listSessions', 'returned', 'false', 'returned invalid_value'],
  ['listSessions', 'sort', 'asc', ' unknown_field'],
  ['listEvents', 'type', 'session.paid', 'type invalid_value'],
  ['listEvents', 'since', 'today', 'since invalid_value'],
  ['listEvents', 'limit', '101', 'limit out_of_range'],
  ['listEvents', 'sessionId', '', 'sessionId required'],
  ['listEvents', 'sort', 'asc', ' unknown_field'],
] as const)('%s refuses the parameter %s: %j', (route, name, value, fault) => {
  const faults = faultsOf(practiceRoutes[route], { query: { [name]: value } });
  expect(faults.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([fault]);
});
