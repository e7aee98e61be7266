// The first turns of a Capp’s workflow, with which stories begin.
import { begins, did, RESYNC, shows, stopsWaiting, waits } from './commands.ts';
import type { Book } from './book.ts';
import { history } from './history.ts';
import { anAnswer, applied, chosen, placed } from '../builders/states.ts';

/** How long a rollout has, in milliseconds. */
export const MINUTES_10 = 600_000;

/** No work was found. */
export const NOTHING = { works: [], lost: {}, given: [] };

/** Shipped, and its verdict is awaited. */
export function rollingOut(): Book {
  return history()
    .ring('spec')
    .turn(
      RESYNC,
      did('place', placed(chosen(), applied())),
      begins('awaitVerdict', 'site-1'),
      waits(MINUTES_10),
    );
}

/** Placed, shipped and Ready, at rest. */
export function ready(): Book {
  return rollingOut()
    .answers('awaitVerdict', anAnswer())
    .turn(stopsWaiting(), did('publish', undefined), shows('site-1', 'Ready'));
}

/** What an edit is applied as. */
export const second = applied({ generation: 2, stamp: 'uid-1/2/hash/one', created: false });
