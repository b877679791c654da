import { describe, expect, test } from 'vitest';
import { named, roleOf, actionsOf, stages, type Resource } from './stacks.ts';

describe.each(stages)('the tables of the $stage stack', ({ stage, all, lambdas, functions, statementsOf, allowed }) => {
  test("every table outlives the stack, has backups and deletion protection, and uses the account's own key", () => {
    const tables = all('AWS::DynamoDB::GlobalTable');
    expect(tables.length).toBeGreaterThan(9);
    const [key, ...otherKeys] = all('AWS::KMS::Key');
    expect(otherKeys).toEqual([]);
    expect(key).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: { EnableKeyRotation: true },
    });
    for (const table of tables) {
      expect(table).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
      expect(table.Properties['Replicas'], table.id).toEqual([
        expect.objectContaining({
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          SSESpecification: { KMSMasterKeyId: { 'Fn::GetAtt': [key?.id, 'Arn'] } },
        }),
      ]);
    }
  });

  test('the logical ids of the tables are unchanged: another id would be a new, empty table', () => {
    expect(
      all('AWS::DynamoDB::GlobalTable')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      'DataApiKeys9F300A5F',
      'DataAttempts5B9C7157',
      'DataAuditLog01574B20',
      'DataAuthorizations5D074C0E',
      ...(stage === 'sandbox' ? [] : ['DataBookings92CD6205']),
      'DataDashboardSessions22F3B3E3',
      'DataDeliveries440B443D',
      'DataEventsB3DAF25C',
      'DataIdempotencyKeysC97C98AF',
      'DataInvitations9D35F822',
      'DataInvoiceClaims4F9AFF44',
      'DataMembers01B206A0',
      ...(stage === 'sandbox' ? [] : ['DataPayouts17B25175']),
      'DataPlatformsDF71E18E',
      'DataPractices4C96C673',
      ...(stage === 'sandbox' ? [] : ['DataProcessorDebits1208B469', 'DataProcessorEvents95BBFF1C']),
      'DataRateLimitsB3E4B03B',
      ...(stage === 'sandbox' ? [] : ['DataReconciliations7417EF4D']),
      ...(stage === 'sandbox' ? ['DataSandboxDebitsF8223D4B'] : []),
      'DataSessionsF705E00F',
      'DataSignIns8D83FD25',
      'DataWebhookEndpointsDF6FC6B3',
    ]);
  });

  test('evidence is written when a debit is authorized, and never changed or deleted', () => {
    const { id } = named(all('AWS::DynamoDB::GlobalTable'), 'DataAuthorizations');
    expect(allowed('dynamodb:PutItem', id).map((each) => each.id)).toEqual([
      ...(stage === 'sandbox' ? [named(functions, 'SandboxApiSimulateSession').id] : []),
      named(functions, 'PatientApiAuthorizePayment').id,
    ]);
    const touching = lambdas.flatMap((each) =>
      statementsOf(roleOf(each))
        .filter(({ Resource }) => JSON.stringify(Resource).includes(`"${id}"`))
        .flatMap(actionsOf),
    );
    // Routes of the dashboard area that shows it share a role.
    expect(new Set(touching)).toEqual(new Set(['dynamodb:PutItem', 'dynamodb:GetItem']));
  });

  test('only the practice API and the dashboard create sessions', () => {
    const { id } = named(all('AWS::DynamoDB::GlobalTable'), 'DataSessions');
    const creating = allowed('dynamodb:PutItem', id).map((each) => roleOf(each));
    expect(new Set(creating)).toEqual(
      new Set([named(functions, 'PracticeApiCreateSession'), named(functions, 'DashboardApiSessions')].map(roleOf)),
    );
  });
});

test('only functions that receive notifications or compare store them, and none deletes them or the debits at the processor', () => {
  const { all, allowed } = stages[1];
  const tableOf = (name: string) => named(all('AWS::DynamoDB::GlobalTable'), name).id;
  const storing = allowed('dynamodb:PutItem', tableOf('DataProcessorEvents'));
  expect(storing.map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual([
    'ReconciliationFunction',
    'ProcessorApiReceiveStripeEvent',
  ]);
  for (const table of ['DataProcessorEvents', 'DataProcessorDebits'])
    expect(allowed('dynamodb:DeleteItem', tableOf(table))).toEqual([]);
});

test('outside its APIs, only what dispatches events reads the endpoints of a practice, and patients only cause reads without secrets', () => {
  const { all, functions, statementsOf } = stages[1];
  const { id } = named(all('AWS::DynamoDB::GlobalTable'), 'DataWebhookEndpoints');
  const readBy = (each: Resource) =>
    statementsOf(roleOf(each)).filter(
      (statement) =>
        actionsOf(statement).includes('dynamodb:Query') && JSON.stringify(statement.Resource).includes(`"${id}"`),
    );
  const others = functions.filter((each) => readBy(each).length > 0 && !/^(Practice|Dashboard)Api/.test(each.id));
  const [patients, rest] = [true, false].map((ofPatients) =>
    others.filter((each) => each.id.startsWith('PatientApi') === ofPatients),
  ) as [Resource[], Resource[]];
  expect(rest.map((each) => each.id.slice(0, -8)).sort()).toEqual(['EventsPublishEvents', 'SweepFunction']);
  const conditions = patients.flatMap(readBy).map(({ Condition }) => Condition);
  expect(conditions.length).toBeGreaterThan(2);
  for (const condition of conditions)
    expect(condition).toEqual({
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['practiceId', 'eventTypes', 'practiceIds'] },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    });
});

test('only the functions that submit, cancel and simulate write debits of the sandbox bank', () => {
  const { resources, allowed } = stages[0];
  const { id } = resources.find((each) => each.id.startsWith('DataSandboxDebits'))!;
  const writing = allowed('dynamodb:PutItem', id).map((each) => each.id.replace(/[0-9A-F]{8}$/, ''));
  expect(writing.sort()).toEqual([
    'DashboardApiCancelSession',
    'DebitsSubmitDebit',
    'PracticeApiCancelSession',
    'SandboxApiAdvanceSession',
    'SandboxApiSimulateSession',
  ]);
});
