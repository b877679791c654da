import { setTimeout as sleep } from 'node:timers/promises';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { Window } from 'happy-dom';
import { dashboardOptions } from '../../../lib/build/dashboard.ts';
import { now } from './time-data.ts';

export interface PageRequest {
  readonly url: string;
  readonly headers: Headers;
  isRead: boolean;
}

export interface Download {
  readonly name: string;
  readonly text: string;
}

export interface DashboardWindow {
  readonly document: Document;
  readonly location: Location;
  readonly history: History;
  readonly sessionStorage: Storage;
  readonly localStorage: Storage;
  /** Its requests to the API, counted as soon as they start. */
  readonly requests: readonly PageRequest[];
  readonly downloads: readonly Download[];
  /** Runs now what the page would do by a timer within these seconds. Its date stands still. */
  pass(seconds: number): Promise<void>;
  evaluate<Value>(code: string): Value;
  /** happy-dom keeps every open window. After this, nothing happens in it anymore. */
  close(): Promise<void>;
}

interface WindowOptions {
  readonly url: URL;
  /** The window that it follows in the same tab. */
  readonly before: DashboardWindow | undefined;
  /** Called when the page navigates away. */
  readonly leave: (url: URL) => void;
  readonly faults: string[];
}

let script: Promise<Script> | undefined;

/** The whole dashboard in one script, because `node:vm` has no modules. */
async function bundle(): Promise<Script> {
  const { outputFiles } = await build({
    ...dashboardOptions({ mode: 'sandbox', operator: {}, hostedPageStyle: '' }),
    entryPoints: ['main.tsx'],
    format: 'iife',
    write: false,
  });
  return new Script(outputFiles.map(({ text }) => text).join(''), { filename: 'dashboard.js' });
}

/** Runs the dashboard without a browser, at a tenth of the cost. There is no style, no layout and no network except `fetch`. */
export async function openWindow({ url, before, leave, faults }: WindowOptions): Promise<DashboardWindow> {
  const fault = (...words: readonly unknown[]) => void faults.push(words.map(String).join(' '));
  const window = new Window({
    url: url.href,
    console: { ...console, error: fault, warn: fault },
    settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true },
  });
  for (const kept of ['sessionStorage', 'localStorage'] as const)
    for (const [name, value] of Object.entries(before?.[kept] ?? {})) window[kept].setItem(name, String(value));
  let closed = false;
  const requests: PageRequest[] = [];
  const time = pageTime();
  Object.assign(window, {
    ...time,
    Date: class extends Date {
      constructor(time: number | string = now) {
        super(time);
      }
      static override now() {
        return now;
      }
    },
    fetch: async (address: string, options: RequestInit = {}) => {
      const request = { url: address, headers: new Headers(options.headers), isRead: false };
      requests.push(request);
      // Node accepts no signal from another window.
      const aborted = new AbortController();
      options.signal?.addEventListener('abort', () => aborted.abort());
      const response = await fetch(new URL(address, url), { ...options, signal: aborted.signal });
      if (closed) return new Promise<never>(() => {});
      const json = response.json.bind(response);
      response.json = async () => {
        const value: unknown = await json();
        if (closed) return new Promise<never>(() => {});
        request.isRead = true;
        return value;
      };
      return response;
    },
  });
  const downloads: Download[] = [];
  const { HTMLAnchorElement, URL: PageUrl } = window;
  const { click } = HTMLAnchorElement.prototype;
  let saved: { text(): Promise<string> } | undefined;
  PageUrl.createObjectURL = (blob) => {
    saved = blob;
    return 'blob:saved';
  };
  HTMLAnchorElement.prototype.click = async function () {
    if (this.download === '') return click.call(this);
    downloads.push({ name: this.download, text: (await saved?.text()) ?? '' });
  };
  const go = (address: string | URL) => leave(new URL(address, window.location.href));
  Object.defineProperties(window.location, {
    assign: { value: go },
    reload: { value: () => go(window.location.href) },
  });
  const document = window.document as unknown as Document;
  document.body.innerHTML = '<div id="dashboard"></div>';
  script ??= bundle();
  (await script).runInContext(window);
  // Runs after the router, which follows the links of the dashboard.
  (window as unknown as typeof globalThis).addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    if (!link.getAttribute('href')?.startsWith('#')) return go(link.href);
    document.querySelector<HTMLElement>(link.hash)?.focus();
  });
  // A browser would send what was typed in the address, and load the page again.
  (window as unknown as typeof globalThis).addEventListener('submit', (event) => {
    if (event.defaultPrevented || (event.target as HTMLFormElement).method === 'dialog') return;
    event.preventDefault();
    fault('a form is submitted by the browser');
  });
  return {
    document,
    location: window.location as unknown as Location,
    history: window.history as unknown as History,
    sessionStorage: window.sessionStorage as unknown as Storage,
    localStorage: window.localStorage as unknown as Storage,
    requests,
    downloads,
    pass: time.pass,
    evaluate: <Value>(code: string) => new Script(code).runInContext(window) as Value,
    async close() {
      closed = true;
      time.stop();
      await window.happyDOM.close();
    },
  };
}

/** Timers that wait until a test lets time pass, unless they do not wait at all. */
function pageTime() {
  let passed = 0;
  let last = 0;
  const waiting = new Map<number, { readonly at: number; readonly work: () => void }>();
  function run(id: number): void {
    const timer = waiting.get(id);
    waiting.delete(id);
    timer?.work();
  }
  function setTimeout(work: () => void, delay = 0): number {
    const id = (last += 1);
    waiting.set(id, { at: passed + delay, work });
    if (delay === 0) setImmediate(run, id);
    return id;
  }
  const clearTimeout = (id: number) => void waiting.delete(id);
  return {
    setTimeout,
    clearTimeout,
    requestAnimationFrame: (work: () => void) => setTimeout(work),
    cancelAnimationFrame: clearTimeout,
    stop: () => waiting.clear(),
    async pass(seconds: number) {
      const end = passed + seconds * 1000;
      for (;;) {
        const next = [...waiting].filter(([, { at }]) => at <= end).sort(([, one], [, other]) => one.at - other.at)[0];
        if (!next) break;
        passed = next[1].at;
        run(next[0]);
        await sleep();
      }
      passed = end;
    },
  };
}
