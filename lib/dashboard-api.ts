import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { DashboardRoute } from '../functions/contract/dashboard-api/dashboard-route.ts';
import { dashboardRoutes as routes } from '../functions/contract/dashboard-routes.ts';
import { settingVariables, tableVariables, type Table } from '../functions/contract/environment.ts';
import type { Action, Data } from './data.ts';
import type { PaymentApi } from './http-api.ts';
import { functionIdentity, serviceFunction } from './service-function.ts';

interface DashboardApiProps {
  readonly bundles: string;
  readonly data: Data;
  readonly api: PaymentApi;
  readonly dashboardUrl: string;
}

type Tables = Readonly<Partial<Record<Table, readonly Action[]>>>;

const ofMember: Tables = { dashboardSessions: ['GetItem', 'UpdateItem'], members: ['GetItem'] };

/** Routes of one area share a role and a log: a stack has at most 500 resources. */
export class DashboardApi extends Construct {
  constructor(scope: Construct, id: string, { bundles, data, api, dashboardUrl }: DashboardApiProps) {
    super(scope, id);
    const area = (name: string) => {
      const identity = functionIdentity(this, name);
      return (declared: DashboardRoute, file: string, tables: Tables): Function => {
        const name = file.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
        const environment = { [settingVariables.dashboardUrl]: dashboardUrl };
        const handler = serviceFunction(this, name, { bundles, file: `dashboard-api/${file}`, environment, identity });
        api.addRoute(name, declared, handler);
        const all: Tables = declared.access === 'anyone' ? tables : { ...ofMember, ...tables };
        for (const table of tablesOf(all)) data.grant(handler, table, ...(all[table] ?? []));
        return handler;
      };
    };

    const sessions = area('Sessions');
    sessions(routes.getHome, 'get-home', {
      practices: ['GetItem'],
      apiKeys: ['Query:byPractice'],
      webhookEndpoints: ['Query'],
      sessions: ['Query:byPractice', 'Query:byPracticeStatus'],
    });
    sessions(routes.getAlerts, 'get-alerts', {
      webhookEndpoints: ['Query'],
      sessions: ['Query:byPracticeStatus', 'Query:byPracticeReturned', 'BatchGetItem'],
    });
    sessions(routes.getSession, 'get-session', {
      sessions: ['GetItem'],
      events: ['BatchGetItem'],
      deliveries: ['Query'],
    });
    sessions(routes.getEvidence, 'get-evidence', { sessions: ['GetItem'], authorizations: ['GetItem'] });

    const deliveries = area('Deliveries');
    deliveries(routes.listDeliveries, 'list-deliveries', {
      webhookEndpoints: ['GetItem', 'Query'],
      deliveries: ['GetItem', 'Query', 'Query:byEndpoint'],
      sessions: ['GetItem'],
    });
    deliveries(routes.getDelivery, 'get-delivery', {
      deliveries: ['GetItem'],
      attempts: ['Query'],
      events: ['GetItem'],
    });
  }
}

function tablesOf(tables: Tables): Table[] {
  return Object.keys(tables).filter(isTable);
}

function isTable(name: string): name is Table {
  return Object.hasOwn(tableVariables, name);
}
