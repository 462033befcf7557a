/** Milliseconds for which one statement may keep the event loop: SQLite goes on with longer ones in a thread. */
const longestStatement = 250

/**
 * Every number by which requests, statements and commits share the event loop, with what chose it. Times are milliseconds.
 * They depend on each other: change one alone, and look at the simulated peak (test/loop) and at `npm run verify -- soak` afterwards.
 * The effects of half and double of a value are measured in test/loop/constants.test.ts, where "simulated" says so.
 */

/** Building, hashing and sending one long response. */
export const longResponse = {
  /** Work after which it yields. Six responses of 30 MB kept others waiting for ten seconds without it. */
  slice: 5,
}

/** Reading large results off database connections. */
export const pacedReading = {
  /**
   * Work in one event-loop turn after which a connection pauses. Four readers of 12 MB each kept the event loop for 45 to
   * 102 ms in one turn without pauses, 32 to 48 at 20, 19 to 41 at 10 and 20 to 35 at 5, and took equally long with each.
   */
  slice: 10,
}

/** Admitting requests: see AdmissionQueue. */
export const admission = {
  /**
   * Work in one event-loop turn. Of slices of 1 to 50 ms, 25 kept the groups of writes together that share a flush; once
   * commits had a distance of their own that did not matter any more, and 5 makes every hop of a request shorter.
   */
  slice: 5,
  /**
   * Requests called per turn: `factor` times as many as the latest pace can serve, within these bounds. 256 in every turn
   * were 22,000 useless callbacks a second under overload. The bounds themselves only keep extremes out.
   */
  batch: { least: 4, most: 256, factor: 2 },
  /**
   * Time for which turns only accept connections, of which Node accepts one a turn, and for which they serve before they do
   * so again. Turns that only accept brought the slowest response from 8 s to the limit; 75 itself was chosen by the soak.
   */
  accepting: 75,
  /** A request waits at most so many times `maxDelay`. At 2.5 the slowest response at 4 x the peak took 1,004 ms, more than the soak's limit. */
  longestWait: 2.25,
  /** The share of its longest wait for which a burst may stand still: a cold server serves nothing quickly, not even its first requests. */
  standstill: 0.5,
  /** Time until a busy database is asked again: the shortest timer there is. */
  retry: 1,
  /** The weight of a slice's pace after the next slice: some ten slices count. Chosen by the soak. */
  memory: 0.9,
}

/** Limits of the queue: see QueueLimit. */
export const queueLimit = {
  /** The queue may be `crowd` times too long for this time: a stall of a few hundred milliseconds at 70 % of the peak rejected hundreds. */
  respite: 1000,
  crowd: 2,
  /** It is tightened once more than this many are rejected per served request: then a long queue serves no more requests, only later. */
  manyRejected: 0.5,
  /**
   * The share of the limit that remains then, and the number of requests that may wait in any case. At 2 x the peak a response
   * takes 26 ms instead of 215 (p50).
   */
  tightened: { share: 1 / 8, least: 4 },
}

/** Telling a burst from overload: see Burst. */
export const burst = {
  /** A queue that has grown in so many looks in a row will not stop: 400 requests at once are served, 2 x the peak is rejected after 0.6 s. */
  look: 100,
  looks: 6,
  /**
   * The same where it was full and rejected some: at 4 x the peak it is full after 0.1 s. Simulated, served requests wait
   * 457 ms at most, and 529 at 6; at 1 a burst of 1,500, of which 1,200 are served, is taken for overload, and 650 are. The
   * slowest response of the soak at 4 x took 811 to 886 ms with it, and 1,030 to 1,192 without.
   */
  fullLooks: 3,
  /** Requests in its queue: each of them holds memory. */
  longest: 1000,
  /**
   * Time after which the pace tells how long the queue will take. Simulated, a server that is slow for its first 0.7 s
   * rejects none of those behind 600 at once, and some at 500. At 2,000 twice as many join a queue of nine seconds.
   */
  settled: 1000,
  /** Time after a rejection in which a new queue is overload too: overload comes in waves. */
  // Simulated, in waves of 1.5 s with 3.5 s between them, responses wait 4 ms (p50) and 30 at 2,500, where each wave
  // passes for a burst. At 10,000 they wait no less, and bursts are rejected for twice as long after an overload.
  rest: 5000,
}

/** Statements of an engine that runs them on the event loop: see FairScheduler. */
export const statements = {
  /**
   * A statement that took so long has kept others waiting. Simulated, next to four clients with statements of 15 ms five
   * quick ones in a row take 306 ms, and 21 at 10, where those of 15 ms lose 14 % of their pace; at 40 they take 606 next
   * to statements of 30 ms, and 36 at 20.
   */
  long: 20,
  /** Texts that are known to be quick: a bound of memory. */
  remembered: 1000,
  /** Turns between two long ones. With one turn a chain of quick statements waited for a long one each: 1.3 s instead of 0.25. */
  turnsBetween: 4,
  /** The maximum time of one. */
  longest: longestStatement,
  /**
   * The time that those of one write may take together: other writers wait for all of them. Quick ones do not count, of which
   * `rest.limits.writes` bounds the number.
   */
  longestOfWrite: 2 * longestStatement,
  /**
   * A wait that shows that there are more long statements than can be run: eight of the longest. Simulated, eight clients
   * that send nothing else are served, and at half of it three requests a second are rejected; at the double of it sixteen
   * clients wait four seconds each.
   */
  maxWait: 8 * longestStatement,
}

/** The time between two commits on SQLite: see CommitSpacing. */
export const commits = {
  /** More would make the first write of a group wait for the last. */
  largestGroup: 64,
  /**
   * Statements after which a group takes no further write, so that a request with much to write keeps those before it
   * waiting, and not those of others with as much besides. 64 usual writes have fewer.
   */
  fullGroup: 2000,
  /** Requests that read since the last commit from which on the next one keeps its distance: each commit invalidates cached responses. */
  reads: 4,
  /**
   * The distance of a process that has time left. Simulated at 60 % of the peak, writes take 13 ms (p50) with 39 commits
   * a second; 8 ms with 47 at 10, and 22 ms with 32 at 40.
   */
  least: 20,
  /** The share of work from which on the distance grows. A threshold at 0.8 had the process fall back to many commits just below it. */
  relaxed: 0.5,
  /**
   * The share of work from which on a group takes writes of further turns, up to `least`: measured, an update costs a tenth
   * less. Below it the disk is the limit, and the process had better read the next writes during a flush: on a slow disk,
   * groups that waited all the same stored up to 13 % fewer entries.
   */
  joining: 0.8,
  /**
   * The distance of a process without any time left, and the longest one, kept while requests queue for as long. Next to
   * 120 for both: 998 instead of 852 responses a second at twice the peak, 967 instead of 1,038 at saturation.
   */
  strained: 80,
  most: 160,
}

/** Stopping: see drain. */
export const draining = {
  /**
   * Time without any request after which hardly a client is about to send one on an open connection. Simulated, a stop
   * cuts 0.3 requests of a hundred clients that ask once a second and are 20 ms away; 0.7 at 125, and 0.1 at 500, where
   * it takes a second longer.
   */
  quiet: 250,
  /** The interval between two looks at that. */
  sweep: 50,
  /** Time for which connections are accepted that came before the server was told to stop, or right after. */
  accepting: 1000,
  /** Event-loop turns without a new connection: the turn that is running has looked for them before. */
  stillTurns: 3,
}
