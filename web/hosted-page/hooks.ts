/** Replaces `preact/hooks` in the build: the page uses only a little of it, and it takes a kilobyte. */
import { createElement, Fragment as Group, options } from 'preact';

/** JSX compiles to calls of these. */
export const h = createElement;
export const Fragment = Group;

type Stop = (() => void) | undefined | void;

/** The state of one hook in one component. */
interface Cell {
  value?: unknown;
  inputs?: readonly unknown[] | undefined;
  /** An effect that runs once the page is in place. */
  start?: (() => Stop) | undefined;
  stop?: Stop;
}

declare module 'preact' {
  interface Options {
    /** Preact calls it before a component renders. */
    __r?: (vnode: VNode) => void;
  }
  interface VNode {
    __c?: (Component & { cells?: Cell[] }) | null;
  }
}

let cells: Cell[] = [];
let next = 0;
let renderAgain = (): void => undefined;

options.__r = ({ __c: component }) => {
  if (!component) return;
  cells = component.cells ??= [];
  next = 0;
  renderAgain = () => component.setState({});
};

options.diffed = ({ __c: component }) => {
  // Runs effects before the browser paints.
  queueMicrotask(() => component?.cells?.forEach(run));
};

options.unmount = ({ __c: component }) => {
  component?.cells?.splice(0).forEach(({ stop }) => stop?.());
};

function run(cell: Cell): void {
  const { start, stop } = cell;
  if (!start) return;
  cell.start = undefined;
  stop?.();
  cell.stop = start();
}

const ownCell = (): Cell => (cells[next++] ??= {});

type Change<Value> = Value | ((value: Value) => Value);

export function useState<Value>(initial: Value): [Value, (to: Change<Value>) => void];
export function useState<Value>(): [Value | undefined, (to: Change<Value | undefined>) => void];
export function useState(initial?: unknown): [unknown, (to: unknown) => void] {
  const cell = ownCell();
  if (!('value' in cell)) cell.value = initial;
  const redraw = renderAgain;
  return [
    cell.value,
    (to) => {
      const value: unknown = typeof to === 'function' ? to(cell.value) : to;
      if (value === cell.value) return;
      cell.value = value;
      redraw();
    },
  ];
}

export function useRef<Value>(current: Value): { current: Value } {
  return useState({ current })[0];
}

export function useEffect(start: () => Stop, inputs?: readonly unknown[]): void {
  const cell = ownCell();
  if (inputs && cell.inputs?.every((input, index) => input === inputs[index])) return;
  cell.inputs = inputs;
  cell.start = start;
}

/** @alias */
export const useLayoutEffect = useEffect;
