/** True where two types are the same, and not merely assignable to each other. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles for true only. */
export const sure = <_ extends true>(): void => undefined
