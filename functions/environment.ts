import * as z from 'zod/mini';
import {
  queueVariables,
  settingVariables,
  stripeVariables,
  tableVariables,
  type Queue,
  type Table,
} from './contract/environment.ts';
import type { Mode } from './domain/mode.ts';
import { chargeTypes } from './domain/payments/debit.ts';

declare global {
  const builtForMode: Mode;
  /** The OpenAPI document without `servers`, as JSON text: for an object, esbuild adds a call to every module. */
  const openApiDocument: string;
  /** The methods of each path in this build, as JSON. */
  const methodsByPath: string;
}

const text = z.string().check(z.minLength(1));

/** The names of the tables that the function may use. */
export function tableNames(): { readonly [Name in Table]?: string | undefined } {
  const names = Object.entries(tableVariables).map(([table, variable]) => [table, process.env[variable]]);
  return z.parse(z.record(z.string(), z.optional(text)), Object.fromEntries(names));
}

export const queueUrl = (queue: Queue) => read(queueVariables[queue], z.url());
export const apiUrl = () => read(settingVariables.apiUrl, z.url());
export const hostedPageUrl = () => read(settingVariables.hostedPageUrl, z.url());
export const dashboardUrl = () => read(settingVariables.dashboardUrl, z.url());
export const docsUrl = () => read(settingVariables.docsUrl, z.url());
export const pageBucketName = () => read(settingVariables.pageBucket, text);
export const evidenceBucketName = () => read(settingVariables.evidenceBucket, text);
export const eventBusName = () => read(settingVariables.eventBusName, text);
export const userPoolId = () => read(settingVariables.userPoolId, z.optional(text));
export const mailFrom = () => read(settingVariables.mailFrom, z.optional(z.email()));
/** Use it in functions that exist only where the stack sends email. */
export const requiredMailFrom = () => read(settingVariables.mailFrom, z.email());
export const stripeSecretId = () => read(stripeVariables.secretId, text);
export const chargeType = () => read(stripeVariables.chargeType, z.enum(chargeTypes));

/** The dashboard's registration at its OpenID Connect issuer. */
export function oidcClient(): { issuer: string; clientId: string; clientSecretId: string } {
  return {
    issuer: read(settingVariables.oidcIssuer, z.url()),
    clientId: read(settingVariables.oidcClientId, text),
    clientSecretId: read(settingVariables.oidcClientSecretId, text),
  };
}

/** In milliseconds. */
export function sandboxOutcomeDelay(): number {
  return Number(read(settingVariables.sandboxOutcomeDelay, z.string().check(z.regex(/^\d{1,9}$/))));
}

export function allowLoopbackWebhooks(): boolean {
  return read(settingVariables.allowLoopbackWebhooks, z.enum(['true', 'false'])) === 'true';
}

export function stripeSettings(): { secretId: string; apiBase: string; allowTestKeys: boolean } {
  return {
    secretId: stripeSecretId(),
    apiBase: read(stripeVariables.apiBase, z.url()),
    allowTestKeys: read(stripeVariables.allowTestKeys, z.enum(['true', 'false'])) === 'true',
  };
}

/** Throws an error that names the variable. */
function read<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> {
  const parsed = z.safeParse(schema, process.env[name]);
  if (!parsed.success) throw new Error(`the environment variable ${name} is missing or invalid`);
  return parsed.data;
}
