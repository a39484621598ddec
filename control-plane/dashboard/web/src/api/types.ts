import type { components } from '#openapi';

type Schemas = components['schemas'];

export type Account = Schemas['OwnAccount'];
export type AdminLocation = Schemas['AdminLocation'];
export type AdminWorkspace = Schemas['AdminWorkspace'];
export type AdminWorkspaceUsage = Schemas['AdminWorkspaceUsage'];
export type AlertRule = Schemas['AlertRule'];
export type ApiKey = Schemas['ApiKey'];
export type AuditEntry = Schemas['AuditEntry'];
export type AuditVerification = Schemas['AuditVerification'];
export type Backtest = Schemas['Backtest'];
export type Billing = Schemas['Billing'];
export type BackupJob = Schemas['BackupJob'];
export type BackupJobBeginnings = Schemas['BackupJobBeginnings'];
export type BackupJobWithUrl = Schemas['BackupJobWithUrl'];
export type BackupRun = Schemas['BackupRun'];
export type BlacklistCheck = Schemas['BlacklistCheck'];
export type BlacklistListing = Schemas['BlacklistListing'];
export type BlacklistMonitor = Schemas['BlacklistMonitor'];
export type BlacklistNotAsked = Schemas['BlacklistNotAsked'];
export type BlacklistProvider = Schemas['BlacklistProvider'];
export type BlacklistResult = Schemas['BlacklistResult'];
export type BulkChange = Schemas['BulkChange'];
export type BulkPreview = Schemas['BulkPreview'];
export type BulkRequest = Schemas['BulkRequest'];
export type Channel = Schemas['Channel'];
export type ChannelTest = Schemas['ChannelTest'];
export type ChannelType = Channel['type'];
export type CheckRequested = Schemas['CheckRequested'];
export type ClientReport = Schemas['ClientReport'];
export type CreateForwarder = Schemas['CreateForwarder'];
export type CreateMonitor = Schemas['CreateMonitor'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type CreatedChannel = Schemas['CreatedChannel'];
export type CreatedForwarder = Schemas['CreatedForwarder'];
export type CreatedSite = Schemas['CreatedSite'];
export type Decision = Schemas['Decision'];
export type DetachedReferences = Schemas['DetachedReferences'];
export type Forwarder = Schemas['Forwarder'];
export type ForwarderTest = Schemas['ForwarderTest'];
export type EmailDomain = Schemas['EmailDomain'];
export type EmailDomainArea = Schemas['EmailDomainArea'];
export type EmailDomainWithAreas = Schemas['EmailDomainWithAreas'];
export type HardeningCenter = Schemas['HardeningCenter'];
export type ImportReport = Schemas['ImportReport'];
export type Incident = Schemas['Incident'];
export type IncidentComment = Schemas['IncidentComment'];
export type IncidentDetail = Schemas['IncidentDetail'];
export type InstantCheck = Schemas['InstantCheck'];
export type InstallationHealth = Schemas['InstallationHealth'];
export type Invitation = Schemas['Invitation'];
export type SentInvitation = Schemas['SentInvitation'];
export type InvitationPreview = Schemas['InvitationPreview'];
export type JoinToken = Schemas['JoinToken'];
export type JoinTokenInList = Schemas['JoinTokenInList'] & Partial<Pick<Schemas['ProbeJoinTokenInList'], 'location'>>;
export type Location = Schemas['Location'];
export type CreatedMaintenanceFeed = Schemas['CreatedMaintenanceFeed'];
export type MaintenanceFeed = Schemas['MaintenanceFeed'];
export type MaintenanceOccurrences = Schemas['MaintenanceOccurrences'];
export type MaintenanceWindow = Schemas['MaintenanceWindow'];
export type Member = Schemas['Member'];
export type Metrics = Schemas['Metrics'];
export type Monitor = Schemas['Monitor'];
export type MonitorSteps = Schemas['MonitorSteps'];
export type MonitorSummary = Schemas['MonitorSummary'];
export type MonitorTotals = Schemas['MonitorTotals'];
export type OwnWorkspace = Schemas['OwnWorkspace'];
export type Passkey = Schemas['Passkey'];
export type Probe = Schemas['Probe'];
export type Processes = Schemas['Processes'];
export type RecoveryCodes = Schemas['RecoveryCodes'];
export type RegisteredPasskey = Schemas['RegisteredPasskey'];
export type ReportSchedule = Schemas['ReportSchedule'];
export type ReportSchedulePreview = Schemas['ReportSchedulePreview'];
export type ReportScheduleRun = Schemas['ReportScheduleRun'];
export type Result = Schemas['Result'];
export type SecondFactorOverview = Schemas['SecondFactorOverview'];
export type RuleDecision = Schemas['RuleDecision'];
export type Scan = Schemas['Scan'];
export type ScanConfirmation = Schemas['ScanConfirmation'];
export type ScanFinding = Schemas['ScanFinding'];
export type ScanWithFindings = Schemas['ScanWithFindings'];
export type Server = Schemas['Server'];
export type ServerDisk = Schemas['ServerDisk'];
export type ServerInterface = Schemas['ServerInterface'];
export type ServerJoinToken = Schemas['ServerJoinToken'];
export type ServerMetrics = Schemas['ServerMetrics'];
export type Session = Schemas['Session'];
export type Site = Schemas['Site'];
export type SiteCheck = Schemas['SiteCheck'];
export type SiteJob = Schemas['SiteJob'];
export type SiteWithChecks = Schemas['SiteWithChecks'];
export type SingleSignOn = Schemas['SingleSignOn'];
export type SingleSignOnDomain = Schemas['SingleSignOnDomain'];
export type StatusPage = Schemas['StatusPage'];
export type StatusPageIncident = Schemas['StatusPageIncident'];
export type StatusPageSubscriber = Schemas['StatusPageSubscriber'];
export type StripePage = Schemas['StripePage'];
export type TimelineLine = Schemas['TimelineLine'];
export type TotpEnrolment = Schemas['TotpEnrolment'];
export type UpdateForwarder = Schemas['UpdateForwarder'];
export type UpdateMonitor = Schemas['UpdateMonitor'];
export type Workspace = Schemas['Workspace'];

/** A list as the API answers it. */
export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
  /** Of a search that was cut off: up to when it has looked. */
  searched_to?: string | null;
}

/** A single object as the API answers it. */
export interface One<Thing> {
  data: Thing;
}
