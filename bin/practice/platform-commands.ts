import {
  createPlatform,
  joinPlatform,
  leavePlatform,
  listPlatforms,
  showPlatform,
} from '../../functions/practices/platforms.ts';
import { author, command, ofPractice, platform, requiredText } from './command.ts';
import { describe, table } from './layout.ts';

const group = 'Platforms';

export const platformCommands = {
  'create-platform': command({
    group,
    summary: 'Create a platform, which serves many practices, with a first API key. It is shown only once.',
    options: { name: requiredText('N', "the vendor's name, 1 to 200 characters", 'Harbor Practice Software') },
    run: (stack, { name }, now) => createPlatform(stack, { name, author }, now),
  }),
  'list-platforms': command({
    group,
    summary: 'List all platforms.',
    options: {},
    run: (stack) => listPlatforms(stack),
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
    options: { platform },
    run: (stack, { platform: platformId }) => showPlatform(stack, { platformId }),
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
  'join-platform': command({
    group,
    summary: "Let a platform's keys and members act for a practice, and send it the practice's events from now on.",
    options: { ...ofPractice, platform },
    run: (stack, { practice: practiceId, platform: platformId }, now) =>
      joinPlatform(stack, { practiceId, platformId, author }, now),
  }),
  'leave-platform': command({
    group,
    summary: "End a platform's access to a practice. Takes effect on the next request.",
    options: ofPractice,
    run: (stack, { practice: practiceId }, now) => leavePlatform(stack, { practiceId, author }, now),
  }),
};
