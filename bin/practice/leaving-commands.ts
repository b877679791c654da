import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { second } from '../../functions/domain/time.ts';
import { closePractice } from '../../functions/practices/suspend-and-close.ts';
import { exportPractice } from '../../functions/practices/export.ts';
import { command, ofPractice, requiredText, text } from './command.ts';
import { describe, table } from './layout.ts';
import { OperatorError, suggested } from './stack.ts';
import { writeLines, writePrivateFile } from './files.ts';

const group = 'Practices';

export const leavingCommands = {
  export: command({
    group,
    summary: "Write all of a practice's data to files, one JSON object per line, without secrets.",
    options: {
      ...ofPractice,
      to: requiredText('DIR', 'an empty or new directory, readable only by you', './lakeside'),
    },
    run: async (stack, { to: directory, ...input }, now) => {
      await requireEmpty(directory);
      const exported = await exportPractice(stack, input, now);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const files: Record<string, number> = {};
      for (const [name, pages] of Object.entries(exported))
        files[`${name}.jsonl`] = await writeLines(join(directory, `${name}.jsonl`), pages);
      const { practiceId } = input;
      const manifest = { practiceId, exportedAt: new Date(now).toISOString(), mode: stack.mode, files };
      // Written last: an export without it is incomplete.
      await writePrivateFile(join(directory, 'manifest.json'), manifest);
      return { directory, ...manifest };
    },
    show: ({ files }, page) => table(page, ['File', 'Rows'], Object.entries(files)),
  }),
  close: command({
    group,
    summary: 'Close a practice for good: cancels open sessions, revokes keys, removes members.',
    options: {
      ...ofPractice,
      confirm: text('ID', "the practice's ID again, because this cannot be undone", 'prc_HCAR7MeEt5v8Kv79apPA'),
    },
    run: async (stack, { confirm, ...input }, now, terminal) => {
      const { practiceId } = input;
      if (confirm !== practiceId)
        throw new OperatorError(
          `This cannot be undone. Export its data first. To close it, repeat its ID:\n${suggested('close', { practiceId, confirm: practiceId }, stack.target)}`,
        );
      const pause = async (milliseconds: number) => {
        terminal.note(`Waiting ${Math.ceil(milliseconds / second)} s for sessions that are being created right now …`);
        await stack.pause(milliseconds);
      };
      return closePractice({ ...stack, pause }, input, now);
    },
    show: ({ processingDebits, ...result }, page) =>
      processingDebits === 0
        ? describe(page, result)
        : `${describe(page, { ...result, processingDebits })}\n\nIts members keep their access while debits are processing. Run this again in a few days.`,
  }),
};

/** Otherwise an earlier export would mix with this one. */
async function requireEmpty(directory: string): Promise<void> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) throw new OperatorError('The directory at --to is not empty.');
}
