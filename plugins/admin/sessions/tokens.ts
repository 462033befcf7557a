import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Tokens are random and long, so a fast hash of them is as good as a slow one. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The mark that a session has of the password which it was begun with. */
export const stampOf = (passwordHash: string | null): string => hashOf(`stamp ${passwordHash}`)
