{{/* Names, labels, the image, and what each process reads from its environment. */}}

{{- define "parley.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "parley.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "parley.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "parley.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What selects pods never changes between versions: name and instance, and the service where one is meant. */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: {{ include "parley.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: parley
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "parley.image" -}}
{{- $repository := .Values.image.repository -}}
{{- if .Values.image.registry -}}{{- $repository = printf "%s/%s" .Values.image.registry $repository -}}{{- end -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $repository .Values.image.digest -}}
{{- else if eq $tag "latest" -}}
{{- fail "image.tag: latest names another image tomorrow; give a version or image.digest" -}}
{{- else -}}
{{- printf "%s:%s" $repository $tag -}}
{{- end -}}
{{- end -}}

{{/* What one service was given: the defaults, and what it says itself. Call with (dict "root" $ "service" name). */}}
{{- define "parley.settings" -}}
{{- $own := default dict (index .root.Values.services .service) -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy $own) | toYaml -}}
{{- end -}}

{{/* Placement and name resolution of a pod that belongs to no service: its own values, and the defaults for those that are null. Call with (dict "root" $ "own" values). */}}
{{- define "parley.placement" -}}
{{- $own := .own -}}
{{- /* Rules about other pods are not inherited: a hook runs before these pods exist, and could wait for them forever. */ -}}
{{- $inherited := set (deepCopy .root.Values.defaults) "affinity" (pick (default dict .root.Values.defaults.affinity) "nodeAffinity") -}}
{{- $found := dict -}}
{{- range list "nodeSelector" "tolerations" "affinity" "priorityClassName" "hostAliases" "dnsPolicy" "dnsConfig" -}}
{{- $value := index $own . -}}
{{- if kindIs "invalid" $value -}}{{- $value = index $inherited . -}}{{- end -}}
{{- if $value -}}{{- $_ := set $found . $value -}}{{- end -}}
{{- end -}}
{{- with $found -}}{{- toYaml . -}}{{- end -}}
{{- end -}}

{{/* The services of this release, in order of their names. */}}
{{- define "parley.services" -}}
{{- $services := keys .Values.services | sortAlpha -}}
{{- if not .Values.console.enabled -}}{{- $services = without $services "console" -}}{{- end -}}
{{- $services | toYaml -}}
{{- end -}}

{{- define "parley.serviceAccount" -}}
{{- default (ternary (include "parley.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{/* The authorities of outer servers, for the volumes and the mounts of a pod. */}}
{{- define "parley.caVolume" -}}
{{- with .Values.caBundle -}}
{{- if or .existingSecret .existingConfigMap -}}
- name: ca-bundle
  {{- if .existingSecret }}
  secret:
    secretName: {{ .existingSecret }}
  {{- else }}
  configMap:
    name: {{ .existingConfigMap }}
  {{- end }}
    items:
      - key: {{ .key }}
        path: ca.crt
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "parley.caMount" -}}
{{- if or .Values.caBundle.existingSecret .Values.caBundle.existingConfigMap -}}
- name: ca-bundle
  mountPath: /etc/parley/ca-bundle
  readOnly: true
{{- end -}}
{{- end -}}

{{/* Whom a service calls over gRPC: the arrows of docs/architecture.md. */}}
{{- define "parley.calls" -}}
{{- dict
  "gateway" (list "auth" "agents" "voice-stack" "knowledge" "telephony" "webhooks" "insights")
  "agents" (list "voice-stack" "auth" "knowledge" "telephony" "webhooks")
  "telephony" (list "agents" "voice-stack" "auth" "knowledge" "webhooks")
  "voice-stack" (list "auth")
  "knowledge" (list "auth" "agents")
  "insights" (list "auth" "agents" "telephony" "voice-stack")
  | toYaml -}}
{{- end -}}

{{/* Services with tables of their own, which are migrated. */}}
{{- define "parley.withDatabase" -}}
{{- list "auth" "voice-stack" "agents" "knowledge" "telephony" "webhooks" "insights" | toYaml -}}
{{- end -}}

{{/* Services that speak to NATS, each as its own user. */}}
{{- define "parley.withNats" -}}
{{- list "auth" "agents" "knowledge" "telephony" "webhooks" "insights" | toYaml -}}
{{- end -}}

{{/* The proxies that append to X-Forwarded-For. Call with values that have trustedProxies, ingress and httpRoute. */}}
{{- define "parley.trustedProxies" -}}
{{- if kindIs "invalid" .trustedProxies -}}{{- ternary 1 0 (or .ingress.enabled .httpRoute.enabled) -}}{{- else -}}{{- int .trustedProxies -}}{{- end -}}
{{- end -}}

{{- define "parley.grpcAddress" -}}
dns:///{{ include "parley.fullname" .root }}-{{ .service }}.{{ .root.Release.Namespace }}.svc.{{ .root.Values.clusterDomain }}:50051
{{- end -}}

{{- define "parley.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{/* What a service reads again while it runs, by the names of the variables: files in a Deployment, variables in the pod of the migrations. */}}
{{- define "parley.changingSecrets" -}}
{{- $values := .root.Values -}}
{{- $found := dict -}}
{{- if has .service (include "parley.withDatabase" .root | fromYamlArray) -}}
{{- $_ := set $found "DATABASE_URL" (dict "secret" $values.postgresql.existingSecret "key" .service) -}}
{{- end -}}
{{- if eq .service "auth" -}}
{{- $_ := set $found "TOKEN_PEPPERS" (dict "secret" $values.secrets.tokenPeppers.existingSecret "key" $values.secrets.tokenPeppers.key) -}}
{{- end -}}
{{- if has .service (include "parley.withVault" .root | fromYamlArray) -}}
{{- $_ := set $found "VAULT_KEYS" (dict "secret" $values.secrets.vaultKeys.existingSecret "key" $values.secrets.vaultKeys.key) -}}
{{- end -}}
{{- if has .service (include "parley.withNats" .root | fromYamlArray) -}}
{{- $_ := set $found "NATS_URL" (dict "secret" $values.nats.existingSecret "key" .service) -}}
{{- end -}}
{{- if eq .service "gateway" -}}
{{- $_ := set $found "REDIS_URL" (dict "secret" $values.redis.existingSecret "key" "url") -}}
{{- end -}}
{{- if eq .service "console" -}}
{{- $_ := set $found "CONSOLE_KEYS" (dict "secret" $values.secrets.console.existingSecret "key" $values.secrets.console.key) -}}
{{- end -}}
{{- $found | toYaml -}}
{{- end -}}

{{/* The whole environment of a service, migrations included: configuration is validated whole. `env` and `extraEnv` of `own` take precedence over the service's. */}}
{{- define "parley.environment" -}}
{{- $root := .root -}}
{{- $service := .service -}}
{{- $values := $root.Values -}}
{{- $settings := include "parley.settings" . | fromYaml -}}
- name: PARLEY_ENV
  value: production
- name: LOG_LEVEL
  value: {{ $values.logLevel | quote }}
- name: SERVICE_REPLICA
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: DRAIN_SECONDS
  value: {{ $settings.drainSeconds | int | quote }}
- name: HEALTH_PORT
  value: '9090'
- name: TLS_CERT_FILE
  value: /etc/parley/tls/tls.crt
- name: TLS_KEY_FILE
  value: /etc/parley/tls/tls.key
- name: TLS_CA_FILE
  value: {{ include "parley.authoritiesFile" $root }}
{{- if or $values.caBundle.existingSecret $values.caBundle.existingConfigMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/parley/ca-bundle/ca.crt
{{- end }}
{{- if eq $service "console" }}
- name: PORT
  value: '8080'
{{- end }}
{{- if eq $service "gateway" }}
- name: PORT
  value: '8080'
- name: INTERNAL_PORT
  value: '8443'
{{- else if not (has $service (list "engine" "console")) }}
- name: GRPC_PORT
  value: '50051'
{{- end }}
{{- with $values.tracing.endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- if has $service (include "parley.withDatabase" $root | fromYamlArray) }}
- name: DATABASE_POOLER
  value: {{ $values.postgresql.pooler }}
- name: DATABASE_POOL_SIZE
  value: {{ $values.postgresql.poolSize | int | quote }}
- name: DATABASE_STATEMENT_TIMEOUT_MS
  value: {{ $values.postgresql.statementTimeoutMs | int | quote }}
{{- end }}
{{- if has $service (include "parley.withNats" $root | fromYamlArray) }}
- name: NATS_STREAM_REPLICAS
  value: {{ $values.nats.streams.replicas | int | quote }}
{{- end }}
{{- if has $service (list "console" "gateway") }}
- name: TRUSTED_PROXIES
  value: {{ include "parley.trustedProxies" $values | quote }}
{{- end }}
{{- if eq $service "gateway" }}
- name: MAX_EVENT_STREAMS
  value: {{ $values.limits.eventStreamsPerKey | int | quote }}
- name: ORGANIZATION_EVENT_STREAMS
  value: {{ $values.limits.eventStreamsPerOrganization | int | quote }}
- name: CARRIER_REQUESTS_PER_MINUTE
  value: {{ $values.limits.carrierRequestsPerMinute | int | quote }}
- name: REQUESTS_PER_KEY_PER_MINUTE
  value: {{ $values.limits.requestsPerKeyPerMinute | int | quote }}
- name: BODY_BUDGET_MIB
  value: {{ $values.limits.bodiesMib | int | quote }}
- name: BODY_BUDGET_PER_CLIENT_MIB
  value: {{ $values.limits.bodiesPerClientMib | int | quote }}
- name: MINTS_PER_MINUTE
  value: {{ $values.limits.mintsPerMinute | int | quote }}
- name: ORGANIZATION_MINTS_PER_MINUTE
  value: {{ $values.limits.mintsPerOrganization | int | quote }}
- name: PREVIEWS_PER_MINUTE
  value: {{ $values.limits.previewsPerMinute | int | quote }}
- name: ORGANIZATION_PREVIEWS_PER_MINUTE
  value: {{ $values.limits.previewsPerOrganization | int | quote }}
{{- end }}
{{- if eq $service "auth" }}
- name: RECORDINGS_BUCKET_BYTES
  value: {{ ternary 0 ($values.recordings.bucketBytes | int64) (eq $values.recordings.store "s3") | quote }}
{{- with $values.verification.providerUrl }}
- name: VERIFICATION_PROVIDER_URL
  value: {{ . | quote }}
{{ include "parley.secretVariable" (dict "name" "VERIFICATION_PROVIDER_SECRET" "secret" (required "secrets.verification.existingSecret is needed where verification.providerUrl" $values.secrets.verification.existingSecret) "key" $values.secrets.verification.key) }}
{{- end }}
{{- end }}
{{- range $name, $from := include "parley.changingSecrets" . | fromYaml }}
{{- if $.files }}
- name: {{ $name }}_FILE
  value: /etc/parley/secrets/{{ $name }}/value
{{- else }}
{{ include "parley.secretVariable" (dict "name" $name "secret" $from.secret "key" $from.key) }}
{{- end }}
{{- end }}
{{- if eq $service "voice-stack" }}
- name: PLATFORM_PROVIDERS
  value: {{ join "," $values.platformProviders | quote }}
{{- if $values.catalogue.extra }}
- name: CATALOGUE_DIR
  value: /etc/parley/catalogue
{{- end }}
{{- range $provider, $account := $values.providerKeys }}
{{- with $account.existingSecret }}
{{ include "parley.secretVariable" (dict "name" (printf "PROVIDER_%s_API_KEY" (upper $provider)) "secret" . "key" ($account.key | default "api-key")) }}
{{- end }}
{{- with $account.url }}
- name: PROVIDER_{{ upper $provider }}_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- if has $service (list "console" "gateway" "telephony") }}
{{- with $values.publicUrl }}
- name: PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- if has $service (list "console" "gateway" "telephony") }}
{{- with $values.media.publicUrl }}
- name: MEDIA_PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- if and $values.sip.ariUrl (has $service (list "engine" "telephony")) }}
- name: SIP_ARI_URL
  value: {{ $values.sip.ariUrl | quote }}
- name: SIP_ARI_USER
  value: {{ $values.sip.ariUser | quote }}
{{ include "parley.secretVariable" (dict "name" "SIP_ARI_PASSWORD" "secret" (required "secrets.sip.existingSecret is needed where sip.ariUrl" $values.secrets.sip.existingSecret) "key" $values.secrets.sip.key) }}
{{- end }}
{{- if eq $service "telephony" }}
{{- with $values.sip.allowedHosts }}
- name: SIP_ALLOWED_HOSTS
  value: {{ join "," . | quote }}
{{- end }}
{{- with $values.sip.allowedCidrs }}
- name: SIP_ALLOWED_CIDRS
  value: {{ join "," . | quote }}
{{- end }}
{{- with $values.sip.transferHosts }}
- name: SIP_TRANSFER_HOSTS
  value: {{ join "," . | quote }}
{{- end }}
{{- with $values.mediaStreamUrl }}
- name: MEDIA_STREAM_URL
  value: {{ . | quote }}
{{- end }}
- name: LINE_RING_SECONDS
  value: {{ $values.lines.ringSeconds | int | quote }}
- name: CARRIER_CALLS_PER_SECOND
  value: {{ $values.lines.callsPerSecond | int | quote }}
- name: ORGANIZATION_CALLS_PER_SECOND
  value: {{ $values.lines.organizationCallsPerSecond | int | quote }}
- name: LINES_BUSY_MESSAGE
  value: {{ $values.lines.busyMessage | quote }}
- name: SIMULATOR_CARRIER
  value: {{ ternary "on" "off" $values.simulator.enabled | quote }}
- name: RECORDINGS_STORE
  value: {{ $values.recordings.store }}
- name: RECORDINGS_FORMAT
  value: {{ $values.recordings.format }}
{{- with $values.recordings.s3 }}
{{- if eq $values.recordings.store "s3" }}
{{- with .endpoint }}
- name: RECORDINGS_S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
- name: RECORDINGS_S3_REGION
  value: {{ .region | quote }}
- name: RECORDINGS_S3_BUCKET
  value: {{ required "recordings.s3.bucket is needed where recordings.store" .bucket | quote }}
{{ include "parley.secretVariable" (dict "name" "RECORDINGS_S3_ACCESS_KEY_ID" "secret" (required "recordings.s3.existingSecret is needed where recordings.store" .existingSecret) "key" .accessKeyIdKey) }}
{{ include "parley.secretVariable" (dict "name" "RECORDINGS_S3_SECRET_ACCESS_KEY" "secret" .existingSecret "key" .secretAccessKeyKey) }}
{{- end }}
{{- end }}
- name: TRANSLATION_PROVIDER
  value: {{ $values.translation.provider }}
{{- if eq $values.translation.provider "deepl" }}
{{ include "parley.secretVariable" (dict "name" "DEEPL_AUTH_KEY" "secret" (required "secrets.deepl.existingSecret is needed where translation.provider" $values.secrets.deepl.existingSecret) "key" $values.secrets.deepl.key) }}
{{- end }}
{{- end }}
{{- if eq $service "insights" }}
- name: EXTRACTION_SIMULATOR
  value: {{ ternary "on" "off" $values.extraction.simulated | quote }}
{{- end }}
{{- if eq $service "webhooks" }}
- name: WEBHOOK_MAX_ENDPOINTS
  value: {{ $values.limits.endpointsPerOrganization | int | quote }}
{{- end }}
{{- if has $service (list "auth" "agents" "engine" "insights" "knowledge" "voice-stack" "webhooks") }}
{{- with $values.webhooks.allowedHosts }}
- name: WEBHOOK_ALLOWED_HOSTS
  value: {{ join "," . | quote }}
{{- end }}
{{- with $values.webhooks.allowedCidrs }}
- name: WEBHOOK_ALLOWED_CIDRS
  value: {{ join "," . | quote }}
{{- end }}
{{- end }}
{{- if eq $service "engine" }}
- name: SIMULATOR_CARRIER
  value: {{ ternary "on" "off" $values.simulator.enabled | quote }}
{{- if $values.media.publicUrl }}
- name: MEDIA_PORT
  value: '8090'
- name: TEST_CALL_CONDUCTOR
  value: agent
- name: MEDIA_REFUSED_PER_MINUTE
  value: {{ $values.media.refusedPerMinute | int | quote }}
- name: MEDIA_ORIGINS
  value: {{ join "," (concat (list (trimSuffix "/" $values.publicUrl) | compact) $values.media.origins | uniq) | quote }}
{{- end }}
{{- end }}
{{- if has $service (list "console" "engine") }}
- name: GATEWAY_URL
  value: https://{{ include "parley.fullname" $root }}-gateway-internal.{{ $root.Release.Namespace }}.svc.{{ $values.clusterDomain }}:8443
- name: GATEWAY_TLS
  value: internal
{{- end }}
{{- if eq $service "engine" }}
{{ include "parley.secretVariable" (dict "name" "SERVICE_WORKER_API_TOKEN" "secret" $values.secrets.workerToken.existingSecret "key" $values.secrets.workerToken.key) }}
{{- with $values.secrets.simulationToken.existingSecret }}
{{ include "parley.secretVariable" (dict "name" "SIMULATION_WORKER_API_TOKEN" "secret" . "key" $values.secrets.simulationToken.key) }}
{{- end }}
{{- end }}
{{- range (index (include "parley.calls" $root | fromYaml) $service) }}
- name: {{ printf "%s_ADDRESS" (. | replace "-" "_" | upper) }}
  value: {{ include "parley.grpcAddress" (dict "root" $root "service" .) }}
{{- end }}
{{- $env := default dict $settings.env -}}
{{- $extraEnv := $settings.extraEnv -}}
{{- with .own -}}
{{- $replaced := keys (default dict .env) -}}
{{- range .extraEnv -}}{{- $replaced = append $replaced .name -}}{{- end -}}
{{- range $replaced -}}{{- $_ := unset $env . -}}{{- end -}}
{{- range $name, $value := .env -}}{{- $_ := set $env $name $value -}}{{- end -}}
{{- $kept := list -}}
{{- range $extraEnv -}}{{- if not (has .name $replaced) -}}{{- $kept = append $kept . -}}{{- end -}}{{- end -}}
{{- $extraEnv = concat $kept (default list .extraEnv) -}}
{{- end }}
{{- range $name, $value := $env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- with $extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The certificate of a service. Call with (dict "root" $ "service" name). */}}
{{- define "parley.tlsSecret" -}}
{{ .root.Values.tls.secretPrefix }}-{{ .service }}
{{- end -}}

{{- define "parley.authoritiesFile" -}}
{{- ternary "/etc/parley/authorities/ca.crt" "/etc/parley/tls/ca.crt" (ne .Values.tls.authorities.existingConfigMap "") -}}
{{- end -}}

{{/* Services that seal secrets. */}}
{{- define "parley.withVault" -}}
{{- list "auth" "agents" "telephony" "webhooks" | toYaml -}}
{{- end -}}

{{- define "parley.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "parley.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Values that went away: each fails and says what took its place. */}}
{{- define "parley.deprecations" -}}
{{- range $path, $instead := dict
  "postgresql.url" "put the URLs into a Secret and name it in postgresql.existingSecret"
  "nats.url" "put the URLs into a Secret and name it in nats.existingSecret"
  "redis.url" "put the URL into a Secret and name it in redis.existingSecret"
  "secrets.elevenlabs" "use providerKeys"
  "secrets.openai" "use providerKeys"
  "replicaCount" "use defaults.replicas, or services.<service>.replicas"
  "autoscaling" "use defaults.autoscaling, or services.<service>.autoscaling"
  "resources" "use defaults.resources, or services.<service>.resources"
-}}
{{- $found := $.Values -}}
{{- range splitList "." $path -}}
{{- if kindIs "map" $found -}}{{- $found = index $found . -}}{{- else -}}{{- $found = "" -}}{{- end -}}
{{- end -}}
{{- if $found -}}{{- fail (printf "%s is not a value of this chart any more: %s" $path $instead) -}}{{- end -}}
{{- end -}}
{{- end -}}
