import { createHash } from 'node:crypto';
import { cp, glob, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join, matchesGlob, relative } from 'node:path';
import * as z from 'zod/mini';
import { assetPath } from './assets.ts';
import { inert, tags, text } from './property-schema.ts';
import type { Resource } from './template.ts';

export const bucketProperties = z.strictObject({
  BucketName: text,
  PublicAccessBlockConfiguration: inert('only the local distribution reads it'),
  OwnershipControls: inert('one owner'),
  BucketEncryption: inert('a laptop encrypts its own disk'),
  VersioningConfiguration: inert('files come from the assets at every start'),
  LifecycleConfiguration: inert('files come from the assets at every start'),
  LoggingConfiguration: inert('requests are not logged here'),
  Tags: tags,
});

/** `Custom::CDKBucketDeployment`, done here by copying. */
export const bucketDeploymentProperties = z.strictObject({
  ServiceToken: z.string(),
  SourceObjectKeys: z.array(z.string()),
  SourceMarkers: z.optional(z.array(z.record(z.string(), z.string()))),
  SourceMarkersConfig: z.optional(z.array(z.strictObject({ jsonEscape: z.optional(z.boolean()) }))),
  DestinationBucketName: z.string(),
  DestinationBucketKeyPrefix: text,
  SystemMetadata: z.optional(z.strictObject({ 'cache-control': text, 'content-type': text })),
  Exclude: z.optional(z.array(z.string())),
  Include: z.optional(z.array(z.string())),
  SourceBucketNames: inert('assets are read from the cloud assembly'),
  DestinationBucketArn: inert('the name says it'),
  Prune: inert('only what the template deploys is served'),
  WaitForDistributionInvalidation: inert('nothing is cached'),
  DistributionId: inert('nothing is cached'),
  DistributionPaths: inert('nothing is cached'),
  OutputObjectKeys: inert('nobody reads them'),
  Tags: tags,
});

type Deployment = Resource<z.output<typeof bucketDeploymentProperties>>;

export interface StoredObject {
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string | undefined;
  readonly etag: string;
  readonly lastModified: Date;
}

/** Objects by bucket name and key. */
export type Buckets = ReadonlyMap<string, ReadonlyMap<string, StoredObject>>;

/** What `aws s3 sync`, which the real deployment runs, derives from a file's name. */
const contentTypes: Record<string, string> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain',
  '.xml': 'text/xml',
  '.woff2': 'font/woff2',
};

/** Copies every deployment's assets into its bucket's directory under `dataDir`. */
export async function deployBuckets(deployments: readonly Deployment[], assetDirectory: string, dataDir: string): Promise<Buckets> {
  const buckets = new Map<string, Map<string, StoredObject>>();
  await rm(join(dataDir, 'buckets'), { recursive: true, force: true });
  for (const { properties } of deployments) {
    const name = properties.DestinationBucketName;
    const objects = buckets.get(name) ?? new Map<string, StoredObject>();
    buckets.set(name, objects);
    const root = join(dataDir, 'buckets', name);
    for (const [index, objectKey] of properties.SourceObjectKeys.entries()) {
      const files = await copySource(assetPath(assetDirectory, objectKey), join(root, properties.DestinationBucketKeyPrefix ?? ''), properties);
      const markers = properties.SourceMarkers?.[index] ?? {};
      const jsonEscape = properties.SourceMarkersConfig?.[index]?.jsonEscape === true;
      for (const path of files) {
        await replaceMarkers(path, markers, jsonEscape);
        objects.set(relative(root, path), await describeObject(path, properties));
      }
    }
  }
  return buckets;
}

async function copySource(source: string, destination: string, { Exclude = [], Include = [] }: Deployment['properties']): Promise<string[]> {
  await mkdir(destination, { recursive: true });
  const listed = (patterns: readonly string[], entry: string) => patterns.some((pattern) => matchesGlob(entry, pattern));
  const copied: string[] = [];
  for await (const entry of glob('**/*', { cwd: source })) {
    if (listed(Exclude, entry) && !listed(Include, entry)) continue;
    if (!(await stat(join(source, entry))).isFile()) continue;
    const path = join(destination, entry);
    await cp(join(source, entry), path);
    copied.push(path);
  }
  return copied;
}

/** `Source.data` leaves markers in a file where the template's values go. */
async function replaceMarkers(path: string, markers: Readonly<Record<string, string>>, jsonEscape: boolean): Promise<void> {
  const entries = Object.entries(markers);
  if (entries.length === 0) return;
  const before = await readFile(path, 'utf8');
  const after = entries.reduce(
    (text, [marker, value]) => text.replaceAll(marker, () => (jsonEscape ? JSON.stringify(value).slice(1, -1) : value)),
    before,
  );
  await writeFile(path, after);
}

async function describeObject(path: string, { SystemMetadata }: Deployment['properties']): Promise<StoredObject> {
  const content = await readFile(path);
  return {
    path,
    contentType: SystemMetadata?.['content-type'] ?? contentTypes[extname(basename(path))] ?? 'binary/octet-stream',
    cacheControl: SystemMetadata?.['cache-control'],
    etag: `"${createHash('md5').update(content).digest('hex')}"`,
    lastModified: (await stat(path)).mtime,
  };
}
