/** Types for plugins and modules that extend the console, as `stele/console`: nothing of it is there at run time. */
export type { ConsolePart } from './extensions/part.js'
export type * from './model/mounts.js'
