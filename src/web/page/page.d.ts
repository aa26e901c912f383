/** What Vite makes of imports that are no scripts. */

declare module "*.css" {}
declare module "*?worker&url" {
  const address: string;
  export default address;
}
