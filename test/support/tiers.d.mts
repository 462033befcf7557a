export type Tier = 'quick' | 'slow' | 'nightly'
export type Run = 'quick' | 'rest' | 'all'

export const runs: readonly Run[]
export function testFiles(): string[]
export function tierOf(file: string): Tier
export function whatWasNotRun(): string[]
