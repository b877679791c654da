import { ts } from '@ts-morph/common';
import { build, stop } from 'esbuild';
import type { Mode } from '../../functions/domain/mode.ts';
import { functionFiles, root } from '../../lib/build/build.ts';

export interface LinkedFunctions {
  readonly checker: ts.TypeChecker;
  readonly file: ts.SourceFile;
  /** Keyed by file, such as `triggers/sweep`. */
  readonly handlers: ReadonlyMap<string, ts.Symbol>;
  /** The requested functions, keyed by name. */
  readonly named: ReadonlyMap<string, ts.Symbol>;
}

/** All functions of a mode in one module, in which each name has one meaning. `names` are the functions to find, by file. */
export async function linkFunctions(
  mode: Mode,
  names: Readonly<Record<string, readonly string[]>>,
): Promise<LinkedFunctions> {
  const files = functionFiles(mode);
  const all = Object.entries(names).flatMap(([path, ofFile]) => ofFile.map((name) => ({ path, name })));
  const exported = [
    ...files.map((path, index) => `export { handler as handler_${index} } from './${path}';`),
    ...all.map(({ path, name }) => `export { ${name} as named_${name} } from './${path}';`),
  ];
  const { outputFiles } = await build({
    stdin: { contents: exported.join('\n'), resolveDir: root },
    bundle: true,
    write: false,
    // Drops the branches of the other mode.
    minifySyntax: true,
    define: { builtForMode: JSON.stringify(mode) },
    packages: 'external',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    logLevel: 'silent',
  });
  // Otherwise, esbuild's process would keep its memory until the last test.
  await stop();
  const { checker, file } = parse(outputFiles[0]?.text ?? '');
  const exports = checker.getExportsOfModule(required(checker.getSymbolAtLocation(file)));
  const find = (name: string) => checker.getAliasedSymbol(required(exports.find((each) => each.name === name)));
  const fileName = (path: string) => path.slice('functions/'.length, -'.ts'.length);
  return {
    checker,
    file,
    handlers: new Map(files.map((path, index) => [fileName(path), find(`handler_${index}`)])),
    named: new Map(all.map(({ name }) => [name, find(`named_${name}`)])),
  };
}

function parse(text: string): { checker: ts.TypeChecker; file: ts.SourceFile } {
  const options = { allowJs: true, noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ESNext };
  const file = ts.createSourceFile('functions.js', text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
  const host: ts.CompilerHost = {
    getSourceFile: (name) => (name === file.fileName ? file : undefined),
    getDefaultLibFileName: () => '',
    getCurrentDirectory: () => '',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => name === file.fileName,
    readFile: () => undefined,
    writeFile: () => {},
  };
  return { checker: ts.createProgram([file.fileName], options, host).getTypeChecker(), file };
}

export function required<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Error('the linked functions have no such name');
  return found;
}
