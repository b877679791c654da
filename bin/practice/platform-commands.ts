import * as z from 'zod';
import {
  createPlatform,
  joinPlatform,
  leavePlatform,
  listPlatforms,
  showPlatform,
  updatePlatform,
} from '../../functions/practices/platforms.ts';
import { command, described, feeOptions, ofPractice, platform, requiredText } from './command.ts';
import { describe, table } from './layout.ts';
import { addUpFees } from './platform-fees.ts';

const group = 'Platforms';

const month = described(z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Use a month like 2026-11.'), {
  placeholder: 'MONTH',
  summary: "the month, in each practice's time zone",
  example: '2026-11',
});

export const platformCommands = {
  'create-platform': command({
    group,
    summary: 'Create a platform, which serves many practices, with a first API key. It is shown only once.',
    options: { name: requiredText('N', "the vendor's name, 1 to 200 characters", 'Harbor Practice Software') },
    run: createPlatform,
  }),
  'update-platform': command({
    group,
    summary: 'Set your fee for sessions of its practices. A practice with its own fee keeps it.',
    options: { platformId: platform, ...feeOptions },
    run: updatePlatform,
  }),
  'list-platforms': command({
    group,
    summary: 'List all platforms.',
    options: {},
    run: listPlatforms,
    show: ({ platforms }, page) =>
      table(
        page,
        ['Platform', 'Name', 'Created'],
        platforms.map((each) => [each.platformId, each.name, each.createdAt]),
      ),
  }),
  'show-platform': command({
    group,
    summary: 'Show a platform and its practices.',
    options: { platformId: platform },
    run: showPlatform,
    show: ({ practices, ...shown }, page) => {
      const rows = practices.map((each) => [
        each.practiceId,
        each.name,
        each.platformSince,
        each.suspendedAt,
        each.closedAt,
      ]);
      return `${describe(page, shown)}\n\n${table(page, ['Practice', 'Name', 'Joined', 'Suspended', 'Closed'], rows)}`;
    },
  }),
  'platform-fees': command({
    group,
    summary: "Add up your fees from a platform's practices in a month, for a share that you agreed on with the vendor.",
    options: { platformId: platform, month },
    run: addUpFees,
    show: ({ practices, applicationFeeCents, note }, page) => {
      const rows = practices.map((each) => [each.practiceId, each.name, each.applicationFeeCents]);
      const fees = table(page, ['Practice', 'Name', 'Fee in cents'], rows);
      return `${fees}\n\n${describe(page, { applicationFeeCents, note })}`;
    },
  }),
  'join-platform': command({
    group,
    summary: "Let a platform's keys and members act for a practice, and send it the practice's events from now on.",
    options: { ...ofPractice, platformId: platform },
    run: joinPlatform,
  }),
  'leave-platform': command({
    group,
    summary: "End a platform's access to a practice. Takes effect on the next request.",
    options: ofPractice,
    run: leavePlatform,
  }),
};
