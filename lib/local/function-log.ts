import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { isObject, parseJson } from './json.ts';

export interface FunctionLog {
  follow(functionName: string, ...outputs: readonly Readable[]): void;
  path(functionName: string): string;
  warn(line: string): void;
  close(): Promise<void>;
}

export function createFunctionLog(dataDir: string, warn: (line: string) => void): FunctionLog {
  const directory = join(dataDir, 'logs');
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, WriteStream>();
  const path = (functionName: string) => join(directory, `${functionName}.log`);

  function fileOf(functionName: string): WriteStream {
    const open = files.get(functionName) ?? createWriteStream(path(functionName), { flags: 'a' });
    files.set(functionName, open);
    return open;
  }

  return {
    path,
    warn,
    follow(functionName, ...outputs) {
      const file = fileOf(functionName);
      for (const output of outputs) {
        createInterface({ input: output }).on('line', (line) => {
          const structured = line.startsWith('{') && isObject(parseJson(line));
          file.write(`${structured ? line : JSON.stringify({ timestamp: new Date().toISOString(), message: line })}\n`);
        });
      }
    },
    async close() {
      await Promise.all([...files.values()].map((file) => new Promise<void>((resolve) => file.end(() => resolve()))));
    },
  };
}
