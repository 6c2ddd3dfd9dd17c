/** Ids are UUID version 7 text; the brand keeps one kind from standing in for another. */
type Id<Kind extends string> = string & { readonly __kind: Kind };

export type PrincipalId = Id<'principal'>;
export type TokenId = Id<'token'>;
export type WorkspaceId = Id<'workspace'>;
export type SessionId = Id<'session'>;
export type PlanId = Id<'plan'>;
export type AskId = Id<'ask'>;
export type VoteId = Id<'vote'>;
export type ProposalId = Id<'proposal'>;
export type RememberedId = Id<'remembered'>;
export type RunId = Id<'run'>;
export type ReceiptId = Id<'receipt'>;
export type RequestId = Id<'request'>;
/** A one-use link of an invitation or a password reset. */
export type LinkId = Id<'link'>;
/** A console session of one browser, as its person sees it. */
export type SignInId = Id<'sign_in'>;
export type WebhookId = Id<'webhook'>;
export type DeliveryId = Id<'delivery'>;
