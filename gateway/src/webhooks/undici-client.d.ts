/** The part of undici that is used. Loading all of undici takes another 15 MB. */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
