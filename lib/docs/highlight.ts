import { escape } from './escape.ts';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

const languages = { sh: bash, json, python, ts: typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

export function highlighted(code: string, language: string): string {
  return language in languages ? hljs.highlight(code, { language }).value : escape(code);
}
