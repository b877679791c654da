/** Prints the project's size beside its goals. It never fails. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n').filter(existsSync);
const isCode = (file: string) => /^(functions|lib|bin|web)\/.*\.(tsx?|css|html)$/.test(file);
const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;
const lines = files.filter(isCode).reduce((sum, file) => sum + linesOf(file), 0);

console.log(
  `Lines of TypeScript, CSS and HTML in functions, lib, bin and web: ${lines.toLocaleString('en')} (aim 50,000)`,
);
console.log(`Files in the repository: ${files.length.toLocaleString('en')} (aim 1,150)`);
