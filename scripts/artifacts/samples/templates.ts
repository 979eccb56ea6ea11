/** Calls in languages that send the body as a text of JSON, as templates: a new language is a new row. */
import type { SampleCall } from './call.ts';

interface Template {
  label: string;
  /** For the highlighter. */
  language: string;
  /** Writes a text as a literal, between quotes or several lines long. Undefined if a text of JSON needs no change. */
  quote?: (json: string) => string;
  /**
   * The program. Lines that begin with `?` are only for calls with a body. `{{url}}` is the path with its query, `{{body}}`
   * the body, with the indentation of its line.
   */
  source: string;
}

const TEMPLATES: readonly Template[] = [
  {
    label: 'PHP',
    language: 'php',
    source: `<?php
$baseUrl = getenv('BASE_URL') ?: '{{baseUrl}}';
$apiKey = getenv('API_KEY') ?: '{{apiKey}}';
?$body = <<<'JSON'
?{{body}}
?JSON;
$request = curl_init($baseUrl . '{{url}}');
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => '{{METHOD}}',
    CURLOPT_HTTPHEADER => [
        '{{header}}: {{prefix}}' . $apiKey,
?        'Content-Type: {{mediaType}}',
    ],
?    CURLOPT_POSTFIELDS => $body,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
]);
$text = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
if ($text === false || $status >= 400) {
    fwrite(STDERR, "$status $text " . curl_error($request) . "\\n");
    exit(1);
}
echo $text, "\\n";
`,
  },
  {
    label: 'Go',
    language: 'go',
    quote: (json) => json.replaceAll('`', '\\u0060'),
    source: `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
?	"strings"
	"time"
)

?const body = \`{{body}}\`
?
func main() {
	url := env("BASE_URL", "{{baseUrl}}") + "{{url}}"
	request, err := http.NewRequest("{{METHOD}}", url, {{goBody}})
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("{{header}}", "{{prefix}}"+env("API_KEY", "{{apiKey}}"))
?	request.Header.Set("Content-Type", "{{mediaType}}")
	client := http.Client{Timeout: 30 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode >= 400 {
		log.Fatal(response.Status, " ", string(text))
	}
	fmt.Println(string(text))
}

func env(name, other string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return other
}
`,
  },
  {
    label: 'Java',
    language: 'java',
    quote: (json) => json.replaceAll('\\', '\\\\'),
    source: `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

public class Sample {
    public static void main(String[] args) throws Exception {
?        var body = """
?            {{body}}""";
        var request = HttpRequest.newBuilder(URI.create(env("BASE_URL", "{{baseUrl}}") + "{{url}}"))
            .timeout(Duration.ofSeconds(30))
            .header("{{header}}", "{{prefix}}" + env("API_KEY", "{{apiKey}}"))
?            .header("Content-Type", "{{mediaType}}")
            .method("{{METHOD}}", {{javaBody}})
            .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 400) {
            throw new IllegalStateException(response.statusCode() + " " + response.body());
        }
        System.out.println(response.body());
    }

    private static String env(String name, String other) {
        return System.getenv().getOrDefault(name, other);
    }
}
`,
  },
  {
    label: 'C#',
    language: 'csharp',
    source: `using System.Net.Http;
?using System.Net.Http.Headers;

var baseUrl = Environment.GetEnvironmentVariable("BASE_URL") ?? "{{baseUrl}}";
var apiKey = Environment.GetEnvironmentVariable("API_KEY") ?? "{{apiKey}}";
?var body = """
?    {{body}}
?    """;
using var client = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
using var request = new HttpRequestMessage(new HttpMethod("{{METHOD}}"), baseUrl + "{{url}}");
request.Headers.Add("{{header}}", "{{prefix}}" + apiKey);
?request.Content = new StringContent(body, new MediaTypeHeaderValue("{{mediaType}}"));
using var response = await client.SendAsync(request);
var text = await response.Content.ReadAsStringAsync();
if (!response.IsSuccessStatusCode)
{
    throw new HttpRequestException($"{(int)response.StatusCode} {text}");
}
Console.WriteLine(text);
`,
  },
  {
    label: 'Ruby',
    language: 'ruby',
    source: `require "net/http"

uri = URI(ENV.fetch("BASE_URL", "{{baseUrl}}") + "{{url}}")
request = Net::HTTP::{{Method}}.new(uri)
request["{{header}}"] = "{{prefix}}" + ENV.fetch("API_KEY", "{{apiKey}}")
?request["Content-Type"] = "{{mediaType}}"
?request.body = <<~'JSON'
?  {{body}}
?JSON
options = { use_ssl: uri.scheme == "https", open_timeout: 30, read_timeout: 30 }
response = Net::HTTP.start(uri.host, uri.port, options) { |http| http.request(request) }
abort "#{response.code} #{response.body}" if response.code.to_i >= 400
puts response.body
`,
  },
];

export function templateSamples(call: SampleCall): { label: string; language: string; source: string }[] {
  return TEMPLATES.map(({ label, language, quote, source }) => ({
    ...{ label, language },
    source: fill(source, call, quote),
  }));
}

function fill(source: string, call: SampleCall, quote: Template['quote'] = (json) => json): string {
  const { operation, request, path, baseUrl, credential, apiKey } = call;
  const query = new URLSearchParams(request.query).toString();
  const hasBody = request.body !== undefined;
  const body = hasBody ? quote(JSON.stringify(request.body, null, 2)) : '';
  const method = operation.method.toUpperCase();
  const values: Readonly<Record<string, string>> = {
    ...{ baseUrl, apiKey, header: credential.header, prefix: credential.prefix },
    // encodeURIComponent leaves apostrophes, which end a literal of PHP.
    url: `${path}${query && `?${query}`}`.replaceAll("'", '%27'),
    METHOD: method,
    Method: method.charAt(0) + method.slice(1).toLowerCase(),
    mediaType: operation.request?.mediaType ?? '',
    goBody: hasBody ? 'strings.NewReader(body)' : 'nil',
    javaBody: `HttpRequest.BodyPublishers.${hasBody ? 'ofString(body)' : 'noBody()'}`,
  };
  return source
    .split('\n')
    .filter((line) => hasBody || !line.startsWith('?'))
    .map((line) => line.replace(/^\?/, ''))
    .map((line) => {
      const indent = /^ */.exec(line)?.[0] ?? '';
      return line.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
        name === 'body' ? body.replaceAll('\n', `\n${indent}`) : (values[name] ?? ''),
      );
    })
    .join('\n');
}
