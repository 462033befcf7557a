/** STELE_FAULTS=full is the long form, the one whose figures are published. */
export const isFull = process.env.STELE_FAULTS === 'full'

/** Repetitions of a fault; `STELE_FAULTS_SHARE=0.25` does a quarter of the long form. */
export function times(short: number, long: number): number {
  const share = Number(process.env.STELE_FAULTS_SHARE ?? 1)
  return isFull ? Math.max(short, Math.round(long * share)) : short
}
