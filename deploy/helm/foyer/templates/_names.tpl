{{- define "foyer.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "foyer.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "foyer.labels" -}}
{{ include "foyer.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "foyer.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- /* The host name of an https origin. */}}
{{- define "foyer.host" -}}
{{- regexReplaceAll ":[0-9]+$" (trimPrefix "https://" .) "" | lower -}}
{{- end }}

{{- /* The port of the operator API serves the console too. */}}
{{- define "foyer.hasOperatorService" -}}
{{- if or .Values.operatorService.enabled .Values.console.url .Values.tokenHook.enabled }}true{{ end }}
{{- end }}

{{- /* Whether anybody but the pod itself may call the operator API or read the metrics on its port. */}}
{{- define "foyer.operatorReachable" -}}
{{- if or .Values.networkPolicy.operatorFrom .Values.metrics.enabled (include "foyer.hasOperatorService" .) }}true{{ end }}
{{- end }}

{{- define "foyer.operatorServiceName" -}}
{{- printf "%s-operator.%s.svc" (include "foyer.name" .) .Release.Namespace -}}
{{- end }}

{{- define "foyer.consoleEnv" -}}
{{- if eq (include "foyer.host" .Values.console.url) (include "foyer.host" .Values.publicUrl) }}{{ fail "console.url needs another host name than publicUrl: browsers share cookies between the ports of a host." }}{{ end }}
{{- if and .Values.networkPolicy.enabled (not .Values.networkPolicy.consoleFrom) }}{{ fail "console.url needs networkPolicy.consoleFrom: the ingress controller, and Hydra's pods, which report the end of sessions." }}{{ end }}
- { name: CONSOLE_URL, value: {{ .Values.console.url | quote }} }
{{- /* Hydra does not trust the certificate authority of operatorTls. */}}
{{- $service := ternary "" (printf "http://%s:%v" (include "foyer.operatorServiceName" .) .Values.operatorService.port) (not (empty .Values.operatorTls.secret)) }}
{{- with .Values.console.backChannelUrl | default $service }}
- { name: CONSOLE_BACKCHANNEL_URL, value: {{ . | quote }} }
{{- end }}
- { name: OPERATOR_TRUST_PROXY, value: {{ .Values.console.trustProxy | quote }} }
{{- with .Values.hydra.internalUrl }}
- { name: HYDRA_INTERNAL_URL, value: {{ . | quote }} }
{{- end }}
{{- end }}

{{- define "foyer.operatorNames" -}}
{{- $name := printf "%s-operator" (include "foyer.name" .) -}}
{{- $names := list -}}
{{- if include "foyer.hasOperatorService" . }}{{ $names = list $name (printf "%s.%s" $name .Release.Namespace) (printf "%s.%s.svc" $name .Release.Namespace) (printf "%s.%s.svc.%s" $name .Release.Namespace .Values.operatorService.clusterDomain) }}{{ end -}}
{{- concat $names .Values.operatorService.hostNames | join "," -}}
{{- end }}

{{- /* The pods of the gateway, the migration and the doctor have the same settings. */}}
{{- define "foyer.env" -}}
{{- $own := merge (dict) .Values.settings .Values.secretSettings }}
{{- range .Values.extraEnv }}{{ $own = set $own .name "" }}{{ end }}
{{- range $name, $value := dict "SMTP_URL" "mail" "OTEL_METRICS_EXPORTER" "metrics.enabled" "METRICS_TOKEN" "metrics.enabled" }}
{{- $isSet := ternary $.Values.mail $.Values.metrics.enabled (eq $value "mail") }}
{{- range $spelling := list $name (printf "%s_FILE" $name) }}
{{- if and $isSet (hasKey $own $spelling) }}{{ fail (printf "%s is set by the value %s: remove it from settings, secretSettings and extraEnv." $spelling $value) }}{{ end }}
{{- end }}
{{- end }}
- { name: NODE_ENV, value: production }
- { name: PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: TRUST_PROXY, value: {{ .Values.trustProxy | quote }} }
- { name: HYDRA_PUBLIC_URL, value: {{ .Values.hydra.publicUrl | quote }} }
- { name: HYDRA_ADMIN_URL, value: {{ .Values.hydra.adminUrl | quote }} }
- { name: DATABASE_URL_FILE, value: /run/foyer/database-url }
- { name: SECRETS_SYSTEM_FILE, value: /run/foyer/secrets-system }
- { name: OPERATOR_TOKEN_FILE, value: /run/foyer/operator-token }
{{- if .Values.operatorTokens }}
- { name: OPERATOR_TOKENS_FILE, value: /run/foyer/operator-tokens }
{{- end }}
{{- if .Values.tokenHook.enabled }}
{{- if and .Values.networkPolicy.enabled (not .Values.tokenHook.from) }}{{ fail "tokenHook.enabled needs tokenHook.from: Hydra's pods, which call the hook before each token." }}{{ end }}
- { name: TOKEN_HOOK_KEY_FILE, value: /run/foyer/token-hook-key }
{{- end }}
{{- if .Values.mail }}
- { name: SMTP_URL_FILE, value: /run/foyer/smtp-url }
{{- end }}
{{- if .Values.metrics.enabled }}
- { name: OTEL_METRICS_EXPORTER, value: {{ ternary "otlp,prometheus" "prometheus" (hasKey .Values.settings "OTEL_EXPORTER_OTLP_ENDPOINT") }} }
- { name: METRICS_TOKEN_FILE, value: /run/foyer/metrics-token }
{{- end }}
{{- if .Values.operatorTls.secret }}
- { name: OPERATOR_TLS_CERT_FILE, value: /run/foyer-operator-tls/tls.crt }
- { name: OPERATOR_TLS_KEY_FILE, value: /run/foyer-operator-tls/tls.key }
{{- end }}
{{- if include "foyer.operatorReachable" . }}
# Without this, the operator API listens only inside the pod, for `kubectl exec`. It answers to the pod's address and these names.
- { name: OPERATOR_HOST, valueFrom: { fieldRef: { fieldPath: status.podIP } } }
{{- with include "foyer.operatorNames" . }}
- { name: OPERATOR_HOST_NAMES, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if .Values.console.url }}
{{ include "foyer.consoleEnv" . | trim }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- range $name, $key := .Values.secretSettings }}
- { name: {{ $name }}_FILE, value: /run/foyer/{{ $key }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "foyer.volumeMounts" -}}
{{- if .Values.operatorTls.secret }}
- { name: operator-tls, mountPath: /run/foyer-operator-tls, readOnly: true }
{{- end }}
- { name: secrets, mountPath: /run/foyer, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "foyer.volumes" -}}
{{- with .Values.operatorTls.secret }}
- { name: operator-tls, secret: { secretName: {{ . }}, defaultMode: 0440 } }
{{- end }}
- name: secrets
  secret:
    secretName: {{ .Values.existingSecret }}
    defaultMode: 0440
- { name: tmp, emptyDir: { medium: Memory, sizeLimit: 32Mi } }
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* A gateway reads its secrets at its start. The versions of the secrets reveal nothing about their content; a hash of a weak
secret would. Without a cluster (helm template), the versions are unknown. */}}
{{- define "foyer.secretVersion" -}}
{{- $versions := list }}
{{- range compact (list .Values.existingSecret .Values.operatorTls.secret) }}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace . | default dict }}
{{- $versions = append $versions (dig "metadata" "resourceVersion" "" $secret) }}
{{- end }}
{{- .Values.secretVersion | default (join "-" (compact $versions)) -}}
{{- end }}

{{- /* Where gateways, migration and doctor may connect to: one rule for each part that is not empty. */}}
{{- define "foyer.egress" -}}
{{- $egress := .Values.networkPolicy.egress }}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
  {{- with $egress.dns }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- range $part := .parts }}
{{- with get $egress $part }}
- to: {{- toYaml .to | nindent 4 }}
  {{- with .ports }}
  ports:
    {{- range . }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}
