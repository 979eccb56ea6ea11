package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	bodyBytesMax = 1_048_576
)

var (
	integer   = regexp.MustCompile(`^[0-9]{1,12}$`)
	separator = regexp.MustCompile(`,?\s+`)
)

func reasonToRefuse(header http.Header, body, secret []byte) string {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	if id == "" {
		return "webhook-id is missing"
	}
	if !integer.MatchString(timestamp) {
		return "webhook-timestamp is not an integer"
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if difference := time.Since(time.Unix(seconds, 0)); difference.Abs() > tolerance {
		return fmt.Sprintf("the timestamp differs from this clock by %v", difference)
	}
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	given := header.Get("{{signature}}")
	if given == "" {
		given = header.Get("{{otherSignature}}")
	}
	for _, value := range separator.Split(given, -1) {
		if hmac.Equal([]byte(value), []byte(expected)) {
			return ""
		}
	}
	return "no signature matches the body: check WEBHOOK_SECRET"
}

func main() {
	prefix, encoded, _ := strings.Cut(os.Getenv("WEBHOOK_SECRET"), "_")
	secret, err := base64.StdEncoding.DecodeString(encoded)
	if prefix != "whsec" || encoded == "" || err != nil {
		log.Fatal("Set WEBHOOK_SECRET to the signing secret, whsec_…")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
		if err != nil {
			response.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if reason := reasonToRefuse(request.Header, body, secret); reason != "" {
			response.WriteHeader(http.StatusUnauthorized)
			log.Print("refused: ", reason)
			return
		}
		response.WriteHeader(http.StatusNoContent)
		var event struct {
			TransactionID string `json:"transaction_id"`
			Status        string `json:"status"`
		}
		if err := json.Unmarshal(body, &event); err != nil {
			log.Print(err)
			return
		}
		fmt.Println(request.Header.Get("webhook-id"), event.TransactionID, event.Status)
	})
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
