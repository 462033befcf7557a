import type CorsPackage from '@koa/cors'
import type * as RouterPackage from '@koa/router'
import type * as AjvPackage from 'ajv'
import type * as CommanderPackage from 'commander'
import type * as KnexPackage from 'knex'
import type KoaPackage from 'koa'
import type * as ObjectionPackage from 'objection'
import type * as PinoPackage from 'pino'
import type QsPackage from 'qs'
import { load } from './bundle.js'

// The packages that every start needs: hundreds of files, which the build makes one of.

export const cors = load('@koa/cors') as typeof CorsPackage
export const Router: typeof RouterPackage.Router = (load('@koa/router') as typeof RouterPackage).Router
export const { Ajv } = load('ajv') as typeof AjvPackage
export const { Command, CommanderError, InvalidArgumentError, Option } = load('commander') as typeof CommanderPackage
export const { knex: createKnex } = load('knex') as typeof KnexPackage
export const Koa = load('koa') as typeof KoaPackage
export const { Model } = load('objection') as typeof ObjectionPackage
export const { pino } = load('pino') as typeof PinoPackage
export const qs = load('qs') as typeof QsPackage

// The types of what these classes make.
export type Ajv = AjvPackage.Ajv
export type Command = CommanderPackage.Command
export type Koa = KoaPackage
export type Model = ObjectionPackage.Model
export type Option = CommanderPackage.Option
export type Router = RouterPackage.Router
