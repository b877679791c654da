import type { Tokens } from 'marked';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';

const languages = { sh: bash, json, python, ts: typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

function highlighted(code: string, language: string): string {
  return language in languages ? hljs.highlight(code, { language }).value : escape(code);
}

const labels: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', python: 'Python', json: 'JSON' };

/** One sample, with its file name if it has one. */
export function sampleHtml({ text, lang = '' }: Tokens.Code): string {
  const [language = '', file] = lang.split(' ');
  const caption = file === undefined ? '' : `<figcaption>${escape(file)}</figcaption>`;
  return `<figure class="sample">${caption}<pre><code>${highlighted(language === 'json' ? indented(text) : text, language)}</code></pre></figure>`;
}

/** Expands examples, which are compact in the Markdown source. */
function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

/** The same call in several languages: tabs that need no script. */
export function samplesHtml(samples: readonly Tokens.Code[], name: string): string {
  const tabs = samples.map(({ lang = '' }, index) => {
    const [language = ''] = lang.split(' ');
    const id = `${name}-${language}`;
    const checked = index === 0 ? ' checked' : '';
    return (
      `<input type="radio" name="${name}" id="${id}" value="${language}"${checked}>` +
      `<label for="${id}">${labels[language] ?? language}</label>`
    );
  });
  return (
    `<fieldset class="samples"><legend>Language</legend>${tabs.join('')}` +
    `${samples.map((sample) => sampleHtml(sample)).join('')}</fieldset>`
  );
}

/** Whether the samples are alternatives: a reader picks one. */
export function areAlternatives(samples: readonly Tokens.Code[]): boolean {
  const languages = samples.map(({ lang = '' }) => lang.split(' ')[0] ?? '');
  const isDistinct = new Set(languages).size === languages.length;
  return samples.length > 1 && isDistinct && languages.every((language) => ['sh', 'ts', 'python'].includes(language));
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
